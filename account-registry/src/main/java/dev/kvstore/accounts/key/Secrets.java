package dev.kvstore.accounts.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Makes keys: {@code kv_<id>_<secret>}. Thread-safe. */
@ApplicationScoped
public class Secrets {
    /** The bytes of a secret: as many as a SHA-256 has, so that no hash of a guess is cheaper to find than the key. */
    private static final int SECRET_BYTES = 32;

    /**
     * The characters of an id, 36 possible each: two of a million keys have the same id once in ten million times, and
     * then the second key is refused.
     */
    private static final int ID_LENGTH = 12;

    private static final String ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private final SecureRandom random;

    Secrets(SecureRandom random) {
        this.random = random;
    }

    private String id() {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(ID_LETTERS.charAt(random.nextInt(ID_LETTERS.length())));
        }
        return id.toString();
    }

    /** A new key. */
    String key() {
        return key(id(), secret());
    }

    /** The whole key of an id and a secret. */
    static String key(String id, String secret) {
        return "kv_" + id + "_" + secret;
    }

    /** The id in a key. */
    static String id(String key) {
        return key.split("_", 3)[1];
    }

    /** A secret of 256 bits, as 43 characters. */
    public String secret() {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** The hash by which a key is kept. */
    public static byte[] sha256(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
