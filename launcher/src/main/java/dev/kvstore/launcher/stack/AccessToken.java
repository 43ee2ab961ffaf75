package dev.kvstore.launcher.stack;

import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A token that admits its bearer to a local control plane: {@code kva_} and 256 bits in base64url.
 *
 * @param text the whole token
 */
public record AccessToken(String text) {
    private static final String PREFIX = "kva_";
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
    private static final int SECRET_BYTES = 32;

    /**
     * @throws IllegalArgumentException if the text is no token
     */
    public AccessToken {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not a token: it has the form " + PREFIX + "<43 characters>");
        }
    }

    /** A new token; {@code random} must be a {@code SecureRandom} wherever the token guards anything. */
    static AccessToken generate(RandomGenerator random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new AccessToken(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** The text without the secret, for logs. */
    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
