package dev.kvstore.admin.repeat;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The first answer to a request with an {@code Idempotency-Key}, as the database has it. Immutable. */
final class KeptAnswer {
    private final byte[] fingerprint;
    private final int status;
    private final byte[] sealed;

    /**
     * A kept answer.
     *
     * @param fingerprint of the request
     * @param status the HTTP status
     * @param sealed the body; empty for none
     */
    KeptAnswer(byte[] fingerprint, int status, byte[] sealed) {
        this.fingerprint = fingerprint.clone();
        this.status = status;
        this.sealed = sealed.clone();
    }

    boolean isTo(byte[] request) {
        return Arrays.equals(fingerprint, request);
    }

    int status() {
        return status;
    }

    /** The body; empty if the answer had none. */
    String body(Seal seal) {
        return sealed.length == 0 ? "" : new String(seal.open(sealed), UTF_8);
    }
}
