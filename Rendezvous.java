package dev.kvstore.client.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Highest random weight hashing (Thaler and Ravishankar, 1998): every key ranks all endpoints, equal keys alike, and an
 * endpoint that comes or goes moves only the keys it is first for. Stateless.
 */
final class Rendezvous {
    /**
     * How much more than an even share of calls an endpoint may carry before a key moves on to its next in rank (the
     * balancing parameter of Mirrokni, Thorup and Zadimoghaddam, Consistent Hashing with Bounded Loads, 2018; 1.25 is
     * the value its first users settled on).
     */
    static final double LOAD_FACTOR = 1.25;

    private Rendezvous() {}

    /** The endpoints of a key, best first. {@code seed} of an endpoint must be stable: {@link #seed(String)}. */
    static <T> List<T> rank(long key, List<T> endpoints, ToLongFunction<T> seed) {
        return endpoints.stream()
                .sorted(Comparator.comparingLong((T endpoint) -> mix(mix(key) ^ seed.applyAsLong(endpoint)))
                        .reversed())
                .toList();
    }

    /** Calls one of {@code endpoints} may carry once one more begins, {@code total} being under way at all of them. */
    static int bound(int total, int endpoints) {
        return (int) Math.ceil(LOAD_FACTOR * (total + 1) / endpoints);
    }

    /** 64 bits of a text (FNV-1a, mixed). */
    static long seed(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : text.getBytes(UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return mix(hash);
    }

    /** Variant 13 of Stafford's mixers, as in SplitMix64. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
