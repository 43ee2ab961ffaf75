package dev.kvstore.clusters.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.clusters.fleet.Rules;

/** Draws lots: the same input always gives the same result, at every control plane. Stateless. */
final class AccountHash {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private AccountHash() {}

    /** The hash of an account. */
    static int of(String resourceName) {
        return (int) Long.remainderUnsigned(ticket(resourceName), Rules.LOTS);
    }

    /** The number of a name: FNV-1a, mixed. */
    static long ticket(String name) {
        long hash = OFFSET;
        for (byte b : name.getBytes(UTF_8)) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        return stir(hash);
    }

    /** The position of a ticket in a lot's order. */
    static long rank(int lot, long ticket) {
        return stir(ticket ^ stir(lot + 1L));
    }

    /** The finalizer of SplitMix64: each bit of the result depends on all bits. */
    private static long stir(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
