package dev.kvstore.dataplane.account.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret by which a data plane proves its identity, as the source of keys for its own files. Never in a log.
 * Thread-safe.
 */
public final class OwnSecret {
    private static final String HMAC = "HmacSHA256";

    private final SecretKey secret;

    private OwnSecret(byte[] secret) {
        this.secret = new SecretKeySpec(secret, HMAC);
    }

    /** The secret of a data plane with a join token. */
    public static OwnSecret of(JoinToken token) {
        return new OwnSecret(token.secret().getBytes(UTF_8));
    }

    /**
     * The secret of a data plane with a certificate and no join token.
     *
     * @param key of the certificate, one that can be encoded
     */
    public static OwnSecret of(PrivateKey key) {
        return new OwnSecret(key.getEncoded());
    }

    /** A key for one purpose, from which neither the secret nor a key for another purpose can be had. */
    public SecretKey derive(String purpose) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(secret);
            return new SecretKeySpec(mac.doFinal(purpose.getBytes(UTF_8)), HMAC);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "OwnSecret";
    }
}
