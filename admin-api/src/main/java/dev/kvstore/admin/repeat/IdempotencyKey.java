package dev.kvstore.admin.repeat;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.regex.Pattern;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys that HKDF with SHA-256 (RFC 5869) derives from an {@code Idempotency-Key} and its caller. The header's text is
 * kept nowhere, and two callers with the same text have different keys. One thread uses it.
 */
final class IdempotencyKey {
    /** The name of the header. */
    static final String HEADER = "Idempotency-Key";

    /** The form of the header's text: visible ASCII. */
    static final String SHAPE = "^[!-~]{1,128}$";

    private static final Pattern PATTERN = Pattern.compile(SHAPE);
    private static final int BYTES = 32;
    private static final String HMAC = "HmacSHA256";

    private final byte[] derived;

    private IdempotencyKey(byte[] derived) {
        this.derived = derived;
    }

    /**
     * The key of a request.
     *
     * @throws ProblemException if the text is no key
     */
    static IdempotencyKey of(String text, Caller caller) {
        if (!PATTERN.matcher(text).matches()) {
            throw ProblemException.invalid(
                    HEADER, "must be 1 to 128 visible characters of ASCII, such as a random UUID");
        }
        try {
            return new IdempotencyKey(KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(text.getBytes(US_ASCII))
                            .addSalt(who(caller).getBytes(UTF_8))
                            .thenExpand("kvstore.idempotency.v1".getBytes(US_ASCII), 3 * BYTES)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java 25 has HKDF", e);
        }
    }

    /** The name of a caller in one line: neither a role nor a tenant contains a space. */
    static String who(Caller caller) {
        return caller.role().word() + " " + (caller.tenant() == null ? "*" : caller.tenant()) + " " + caller.name();
    }

    private byte[] part(int index) {
        return Arrays.copyOfRange(derived, index * BYTES, (index + 1) * BYTES);
    }

    /** The id under which an answer is kept, 32 bytes. */
    byte[] id() {
        return part(0);
    }

    /** The seal of the answer, which opens nothing else. */
    Seal seal() {
        return new Seal(new SecretKeySpec(part(1), "AES"), id());
    }

    /**
     * The fingerprint of a request, 32 bytes: it tells requests with this key apart, and reveals nothing about them to
     * anybody without the key.
     */
    byte[] fingerprint(String method, String path, byte[] parameters) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(part(2), HMAC));
            mac.update((method + " " + path + "\n").getBytes(UTF_8));
            return mac.doFinal(parameters);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }
}
