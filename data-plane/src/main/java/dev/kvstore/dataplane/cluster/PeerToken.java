package dev.kvstore.dataplane.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The token by which peers prove themselves to this process; another at each start. A secret: this process tells it to
 * the control plane alone, and writes it into no log.
 */
public record PeerToken(String secret) {
    private static final int BYTES = 32;

    /** A random token, which nobody can guess if the source is secure. */
    public static PeerToken random(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new PeerToken(HexFormat.of().formatHex(bytes));
    }

    /** Whether a caller showed this token; the comparison takes as long for any text. */
    public boolean matches(String shown) {
        return MessageDigest.isEqual(secret.getBytes(UTF_8), shown.getBytes(UTF_8));
    }

    @Override
    public String toString() {
        return "PeerToken";
    }
}
