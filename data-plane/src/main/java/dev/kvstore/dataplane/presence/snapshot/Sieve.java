package dev.kvstore.dataplane.presence.snapshot;

import java.util.PrimitiveIterator;

/**
 * Lets all fingerprints of a set pass, and one in eight to sixteen of the others: a bit for each value of a
 * fingerprint's first bits, set if one here begins like that. One word answers, where the set itself reads three lines
 * of memory. Immutable and thread-safe.
 */
final class Sieve {
    /** The least number of bits per fingerprint; a sieve has less than twice as many. */
    private static final int BITS_EACH = 8;

    private final long[] words;
    private final int dropped;

    private Sieve(long size) {
        int kept = kept(size);
        this.dropped = Fingerprint.BITS - kept;
        this.words = new long[1 << (kept - 6)];
    }

    private static int kept(long size) {
        return Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(size * BITS_EACH - 1), 6, Fingerprint.BITS);
    }

    /** Heap of the sieve of so many fingerprints, in bytes. */
    static long bytes(long size) {
        return 1L << (kept(size) - 3);
    }

    /**
     * The sieve of some fingerprints.
     *
     * @param size how many there are, 1 to 2^30
     * @throws IllegalArgumentException if they are not in ascending order, or a number is no fingerprint
     */
    static Sieve of(PrimitiveIterator.OfLong fingerprints, long size) {
        Sieve sieve = new Sieve(size);
        long last = -1;
        while (fingerprints.hasNext()) {
            long fingerprint = fingerprints.nextLong();
            if (fingerprint <= last || fingerprint >>> Fingerprint.BITS != 0) {
                throw new IllegalArgumentException("fingerprints are out of order");
            }
            last = fingerprint;
            long first = fingerprint >>> sieve.dropped;
            sieve.words[(int) (first >>> 6)] |= 1L << first;
        }
        return sieve;
    }

    /** False only for a fingerprint that is not in the set. */
    boolean passes(long fingerprint) {
        return bit(fingerprint) != 0;
    }

    /** The questions that pass, among those asked; bit i is for the i-th. No branch depends on an answer. */
    long pass(KeyBatch batch, long asked) {
        long passing = 0;
        for (int question = 0; question < batch.size(); question++) {
            passing |= bit(batch.fingerprint(question)) << question;
        }
        return passing & asked;
    }

    private long bit(long fingerprint) {
        long first = fingerprint >>> dropped;
        return words[(int) (first >>> 6)] >>> first & 1;
    }

    /** Bytes of heap that the sieve takes. */
    long bytes() {
        return (long) words.length * Long.BYTES;
    }
}
