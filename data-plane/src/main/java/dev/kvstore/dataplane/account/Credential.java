package dev.kvstore.dataplane.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id and the hash of an API key, which may be kept longer than a call; the key cannot be computed from them. Equal
 * by value.
 *
 * @param keyId the part between the underscores of {@code kv_<id>_<secret>}
 * @param sha256 of the whole key, 64 lower-case hexadecimal digits
 */
public record Credential(String keyId, String sha256) {
    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** The credential in an API key as it came over the wire, or null if nothing of that form was ever a key. */
    public static @Nullable Credential of(String apiKey) {
        String[] parts = apiKey.split("_", 3);
        return parts.length == 3
                        && parts[0].equals("kv")
                        && KEY_ID.matcher(parts[1]).matches()
                ? new Credential(parts[1], hex(apiKey))
                : null;
    }

    /** Whether the key is the one with this hash. */
    boolean isOf(String otherSha256) {
        return MessageDigest.isEqual(sha256.getBytes(UTF_8), otherSha256.getBytes(UTF_8));
    }

    private static String hex(String apiKey) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(apiKey.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Leaves out the hash, which must be in no log. */
    @Override
    public String toString() {
        return "Credential[" + keyId + "]";
    }
}
