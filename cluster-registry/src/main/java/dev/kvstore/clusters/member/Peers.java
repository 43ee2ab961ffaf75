package dev.kvstore.clusters.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The processes of a cluster that hold leases. Immutable.
 *
 * @param version the same for the same peers, whichever control plane computes it
 */
public record Peers(String version, List<Peer> all) {
    private static final int VERSION_BYTES = 8;

    /**
     * A process that holds a lease.
     *
     * @param token the token that a caller must show to the process
     */
    public record Peer(String process, String instance, String address, String token) {
        /** The text of a peer without its token. */
        @Override
        public String toString() {
            return process + " (" + instance + ") at " + address;
        }
    }

    /** @param all sorted by name */
    static Peers of(List<Peer> all) {
        return new Peers(version(all), List.copyOf(all));
    }

    private static String version(List<Peer> peers) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Peer peer : peers) {
                for (String part : List.of(peer.process(), peer.instance(), peer.address(), peer.token())) {
                    digest.update(part.getBytes(UTF_8));
                    digest.update((byte) 0);
                }
            }
            return HexFormat.of().formatHex(digest.digest(), 0, VERSION_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
