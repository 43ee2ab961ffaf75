package dev.kvstore.client.internal.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Highest random weight hashing (Thaler and Ravishankar, 1998) with weights: a key gives every data plane a score, and
 * belongs to the one with the highest. If a data plane comes, goes or changes its weight, only keys to or from it move.
 * Stateless.
 */
public final class Rendezvous {
    private static final double UNIT = 0x1p-53;

    private Rendezvous() {}

    /**
     * The score of a data plane for a key: {@code -weight / ln(u)}, where {@code u} is uniform in (0, 1) by a hash of
     * both. So each data plane wins in proportion to its weight (Schindelhauer and Schomaker, Weighted Distributed Hash
     * Tables, SPAA 2005, the logarithmic method; in this form Resch, New Hashing Algorithms for Data Storage, SDC
     * 2015).
     *
     * @param seed of the process; must be stable: {@link #seed(String)}
     * @param weight more than 0
     */
    public static double score(long key, long seed, double weight) {
        return -weight / Math.log(unit(mix(key) ^ seed));
    }

    /** A number in (0, 1) for a key, always the same for the same use. */
    public static double unit(long bits) {
        return ((mix(bits) >>> 11) + 0.5) * UNIT;
    }

    /** A hash of a text, 64 bits (FNV-1a, mixed). */
    public static long seed(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : text.getBytes(UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return mix(hash);
    }

    /** Mixes bits with variant 13 of Stafford's mixers, as in SplitMix64. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
