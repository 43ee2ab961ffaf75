package dev.kvstore.clusters.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole join token: {@code kvj_<id>_<secret>}. Immutable.
 *
 * @param id 12 letters and digits, which people may see
 * @param text the whole token, which is a secret
 */
public record JoinTokenText(String id, String text) {
    /**
     * The bytes of a secret: as many as a SHA-256 has, so that no hash of a guess is cheaper to find than the token.
     */
    private static final int SECRET_BYTES = 32;

    private static final int ID_LENGTH = 12;
    private static final String ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    /** The form of a token. Its secret is as long as that of an API key: callers choose both by one rule. */
    private static final Pattern SHAPE = Pattern.compile("kvj_([a-z0-9]{12})_[A-Za-z0-9_-]{43,128}");

    /** A new token with a generated secret. */
    static JoinTokenText make(SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return make(random, Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** A new token with a given secret. */
    static JoinTokenText make(SecureRandom random, String secret) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(ID_LETTERS.charAt(random.nextInt(ID_LETTERS.length())));
        }
        return new JoinTokenText(id.toString(), "kvj_" + id + "_" + secret);
    }

    /** Reads a token; empty if the text is none. */
    public static Optional<JoinTokenText> of(String text) {
        Matcher matcher = SHAPE.matcher(text);
        return matcher.matches() ? Optional.of(new JoinTokenText(matcher.group(1), text)) : Optional.empty();
    }

    /** The hash by which the token is kept. */
    public byte[] sha256() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Leaves the secret out: logs hold none. */
    @Override
    public String toString() {
        return "kvj_" + id;
    }
}
