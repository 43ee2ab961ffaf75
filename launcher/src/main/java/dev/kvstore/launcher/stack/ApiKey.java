package dev.kvstore.launcher.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A credential of a tenant: {@code kv_<id>_<secret>}, the id has 8 to 40 lower-case letters and digits, the secret 43
 * to 128 characters of base64url: 256 bits or more.
 *
 * @param text the whole key, which only its holder keeps
 */
public record ApiKey(String text) {
    private static final Pattern FORM = Pattern.compile("kv_[0-9a-z]{8,40}_[A-Za-z0-9_-]{43,128}");
    private static final String PREFIX = "kv_";
    private static final int ID_BYTES = 4;
    private static final int SECRET_BYTES = 32;

    /**
     * @throws IllegalArgumentException if the text is no key
     */
    public ApiKey {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "not an API key: it has the form kv_<8 to 40 letters and digits>_<43 to 128 characters>");
        }
    }

    /** A new key; {@code random} must be a {@code SecureRandom} wherever the key guards anything. */
    public static ApiKey generate(RandomGenerator random) {
        byte[] id = new byte[ID_BYTES];
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(id);
        random.nextBytes(secret);
        return new ApiKey(PREFIX + HexFormat.of().formatHex(id) + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** The public part, by which the key is found. */
    public String id() {
        return text.substring(PREFIX.length(), text.indexOf('_', PREFIX.length()));
    }

    /** The SHA-256 of the whole text, in hexadecimal; a server keeps only this of the key. */
    public String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The text without the secret, for logs. */
    @Override
    public String toString() {
        return PREFIX + id() + "_...";
    }
}
