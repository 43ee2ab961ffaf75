package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.ReadLimits;
import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/**
 * A set of fingerprints, exact: some 12 bits each if they lie as densely as those of 100 million keys, and a bit more
 * each time they are half as many. Immutable and thread-safe.
 *
 * <p>After Elias and Fano, "Efficient Storage and Retrieval by Content and Address of Static Files" (1974), in buckets:
 * the range from the first to the last fingerprint is cut into slots of 2^lowBits values, one to two to a fingerprint,
 * and 64 slots are a bucket. A bucket has, one after the other, for each slot a 0 and then a 1 for each fingerprint in
 * it, and the lowBits of each fingerprint. The number of fingerprints in the buckets before says where it begins.
 */
final class Fingerprints {
    /** Most fingerprints of a set: at most 5 MB, and 3 MB if they are of 100 million keys. */
    static final int MAX_SIZE = 1 << 21;

    private static final int SLOTS = 64;

    /** Bytes of the largest set: a bit, two slots and 15 low bits to a fingerprint, and a start to 32 of them. */
    static final int MOST_ENCODED_BYTES = MAX_SIZE / Byte.SIZE * 18 + MAX_SIZE / 32 * Integer.BYTES + 64;

    private static final int SLOT_BITS = 6;
    private static final int FIXED_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final long first;
    private final long last;
    private final int size;
    private final int lowBits;
    private final int[] starts;
    private final long[] bits;

    /** A 1 at the bottom of each field of lowBits bits that fit into a word together, and how many do. */
    private final long bottoms;

    private final int fields;

    private Fingerprints(long first, long last, int size) {
        this.first = first;
        this.last = last;
        this.size = size;
        this.lowBits = lowBits(first, last, size);
        int buckets = buckets(first, last, size);
        this.starts = new int[buckets + 1];
        // The array has two words more, so that a reader of a word may read the word after it.
        this.bits = new long[(begin(size, buckets) >>> 6) + 3];
        this.fields = lowBits == 0 ? 0 : (Long.SIZE - 1) / lowBits;
        long each = 0;
        for (int i = 0; i < fields; i++) {
            each |= 1L << (i * lowBits);
        }
        this.bottoms = each;
    }

    private static int lowBits(long first, long last, int size) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros((last - first + 1) / size);
    }

    private static int buckets(long first, long last, int size) {
        return Math.toIntExact((last - first) >>> lowBits(first, last, size)) / SLOTS + 1;
    }

    /** Bytes that a set of this size and range has behind its fixed ones. */
    private static long variableBytes(long first, long last, int size) {
        long buckets = buckets(first, last, size);
        long words = ((size * (lowBits(first, last, size) + 1L) + buckets * SLOTS) >>> 6) + 3;
        return (buckets + 1) * Integer.BYTES + words * Long.BYTES;
    }

    /**
     * The set of some fingerprints.
     *
     * @param ascending of which none is twice in the range
     * @param count 1 to {@link #MAX_SIZE}
     */
    static Fingerprints of(long[] ascending, int count) {
        Fingerprints set = new Fingerprints(ascending[0], ascending[count - 1], count);
        int from = 0;
        for (int bucket = 0; bucket < set.starts.length - 1; bucket++) {
            int to = from;
            while (to < count && bucket(set.slot(ascending[to])) == bucket) {
                to++;
            }
            set.fill(bucket, ascending, from, to);
            from = to;
        }
        set.starts[set.starts.length - 1] = count;
        return set;
    }

    private void fill(int bucket, long[] ascending, int from, int to) {
        starts[bucket] = from;
        int begin = begin(from, bucket);
        int lows = begin + SLOTS + to - from;
        for (int i = from; i < to; i++) {
            put(begin + offset(slot(ascending[i])) + 1 + i - from, 1);
            put(lows + (i - from) * lowBits, low(ascending[i]));
        }
    }

    private void put(int at, long value) {
        bits[at >>> 6] |= value << at;
        bits[(at >>> 6) + 1] |= value >>> 1 >>> (~at & 63);
    }

    private int slot(long fingerprint) {
        return (int) ((fingerprint - first) >>> lowBits);
    }

    private static int bucket(int slot) {
        return slot >>> SLOT_BITS;
    }

    /** The index of a slot in its bucket. */
    private static int offset(int slot) {
        return slot & (SLOTS - 1);
    }

    private long low(long fingerprint) {
        return (fingerprint - first) & ((1L << lowBits) - 1);
    }

    /** The first bit of a bucket that has so many fingerprints before it. */
    private int begin(int before, int bucket) {
        return before * (lowBits + 1) + bucket * SLOTS;
    }

    private long wordAt(int at) {
        return (bits[at >>> 6] >>> at) | (bits[(at >>> 6) + 1] << 1 << (~at & 63));
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    int size() {
        return size;
    }

    /**
     * Finds where the answer to a question is. Memory is slow to answer, but answers many at once: a caller with many
     * questions calls this for all, then {@link #fetch} for all, then {@link #contains(long, int, int)}.
     */
    void locate(int question, int set, KeyBatch batch) {
        long fingerprint = Math.clamp(batch.fingerprint(question), first, last);
        int slot = slot(fingerprint);
        int before = starts[bucket(slot)];
        int count = starts[bucket(slot) + 1] - before;
        int begin = begin(before, bucket(slot));
        // The fingerprint's low bits follow after about as many as the slots before it have on average.
        int lows = begin + SLOTS + count + ((offset(slot) * count) >>> SLOT_BITS) * lowBits;
        batch.locate(question, set, begin, count, lows);
    }

    /** Reads bits that an answer is most likely made of, which brings them near; says nothing else. */
    long fetch(int begin, int lows) {
        return bits[begin >>> 6] ^ bits[lows >>> 6];
    }

    boolean contains(long fingerprint) {
        if (fingerprint < first || fingerprint > last) {
            return false;
        }
        int bucket = bucket(slot(fingerprint));
        int before = starts[bucket];
        return contains(fingerprint, begin(before, bucket), starts[bucket + 1] - before);
    }

    /**
     * Whether a fingerprint is here. Hardly a branch depends on the answer, so none is foreseen wrongly.
     *
     * @param begin the first bit of its bucket
     * @param count the number of fingerprints in its bucket
     */
    boolean contains(long fingerprint, int begin, int count) {
        if (fingerprint < first || fingerprint > last) {
            return false;
        }
        int slot = slot(fingerprint);
        // The 0 of the slot is the one after as many as there are slots before it: in this word, or one of the next
        // two.
        int zero = offset(slot);
        int at = begin >>> 6;
        long zeros = ~bits[at] & (-1L << begin);
        for (int i = 0; i < 2; i++) {
            int here = Long.bitCount(zeros);
            int further = (here - 1 - zero) >> 31; // all ones if it is further on, else 0
            zero -= here & further;
            at -= further;
            zeros ^= (zeros ^ ~bits[at]) & further;
        }
        if (Long.bitCount(zeros) <= zero) {
            return isAmong(fingerprint, begin, count);
        }
        at = (at << 6) + select(zeros, zero) + 1;
        int index = at - begin - offset(slot) - 1;
        int ones = Math.min(Long.numberOfTrailingZeros(~wordAt(at)), count - index);
        if (ones > fields) {
            return isAmong(fingerprint, begin, count);
        }
        // All low bits of the slot are compared at once, as Mycroft searches a zero byte: equal ones give a field of 0.
        long differences = wordAt(begin + SLOTS + count + index * lowBits) ^ (low(fingerprint) * bottoms);
        long equal = (differences - bottoms) & ~differences & (bottoms << (lowBits - 1));
        return (equal & ((1L << (ones * lowBits)) - 1)) != 0;
    }

    /** The position of a word's 1 that has so many before it. */
    private static int select(long word, int before) {
        return Long.numberOfTrailingZeros(Long.expand(1L << before, word));
    }

    /** Whether a fingerprint is here, bit by bit: for buckets and slots of many more fingerprints than others. */
    private boolean isAmong(long fingerprint, int begin, int count) {
        int slot = offset(slot(fingerprint));
        int at = begin;
        for (int zeros = 0; zeros <= slot; at++) {
            zeros += isOne(at) ? 0 : 1;
        }
        for (int index = at - begin - slot - 1; index < count && isOne(at); index++, at++) {
            if (lowAt(begin + SLOTS + count + index * lowBits) == low(fingerprint)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOne(int at) {
        return (bits[at >>> 6] >>> at & 1) != 0;
    }

    private long lowAt(int at) {
        return wordAt(at) & ((1L << lowBits) - 1);
    }

    /** All fingerprints, in ascending order. */
    PrimitiveIterator.OfLong iterator() {
        return new FingerprintIterator();
    }

    private final class FingerprintIterator implements PrimitiveIterator.OfLong {
        private int next;
        private int bucket = -1;
        private int slot;
        private int at;
        private int low;

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public long nextLong() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            while (next == starts[bucket + 1]) {
                bucket++;
                slot = bucket * SLOTS - 1;
                at = begin(next, bucket);
                low = at + SLOTS + starts[bucket + 1] - next;
            }
            while (!isOne(at)) {
                slot++;
                at++;
            }
            long fingerprint = first + ((long) slot << lowBits | lowAt(low));
            next++;
            at++;
            low += lowBits;
            return fingerprint;
        }
    }

    /** Bytes of {@link #writeTo}, and about the heap it takes. */
    int encodedBytes() {
        return FIXED_BYTES + starts.length * Integer.BYTES + bits.length * Long.BYTES;
    }

    /** Bytes of the set of some fingerprints, as {@link #of} makes it. */
    static long encodedBytes(long[] ascending, int count) {
        return FIXED_BYTES + variableBytes(ascending[0], ascending[count - 1], count);
    }

    /** First, last, size, starts and bits, in the buffer's byte order. */
    void writeTo(ByteBuffer target) {
        target.putLong(first).putLong(last).putInt(size);
        target.asIntBuffer().put(starts);
        target.position(target.position() + starts.length * Integer.BYTES);
        target.asLongBuffer().put(bits);
        target.position(target.position() + bits.length * Long.BYTES);
    }

    /**
     * The set that takes up the rest of a buffer.
     *
     * @throws IllegalArgumentException if there is no set
     */
    static Fingerprints readFrom(ByteBuffer source) {
        if (source.remaining() < FIXED_BYTES) {
            throw new IllegalArgumentException("the set ends early");
        }
        long first = source.getLong();
        long last = source.getLong();
        int size = source.getInt();
        if (first < 0
                || last < first
                || last >>> Fingerprint.BITS != 0
                || size < 1
                || size > MAX_SIZE
                || size > last - first + 1) {
            throw new IllegalArgumentException("no set is " + size + " from " + first + " to " + last);
        }
        if (source.remaining() != variableBytes(first, last, size)) {
            throw new IllegalArgumentException("the set has another length than it says");
        }
        Fingerprints set = new Fingerprints(first, last, size);
        source.asIntBuffer().get(set.starts);
        source.position(source.position() + set.starts.length * Integer.BYTES);
        source.asLongBuffer().get(set.bits);
        source.position(source.limit());
        set.requireAscending();
        set.requireWholeBuckets();
        return set;
    }

    /**
     * Requires of each bucket as many slots as a bucket has, as many fingerprints as its start says, and not too many:
     * a question trusts the bits of a bucket, and goes through all of them at worst.
     */
    private void requireWholeBuckets() {
        for (int bucket = 0; bucket < starts.length - 1; bucket++) {
            int count = starts[bucket + 1] - starts[bucket];
            int begin = begin(starts[bucket], bucket);
            if (count > ReadLimits.BUCKET_FINGERPRINTS || ones(begin, begin + SLOTS + count) != count) {
                throw new IllegalArgumentException("bucket " + bucket + " of the set is none of " + count);
            }
        }
    }

    /** Number of set bits from one bit on and before a later one. */
    private int ones(int from, int to) {
        int last = (to - 1) >>> 6;
        int ones = -Long.bitCount(bits[from >>> 6] & ~(-1L << from));
        for (int word = from >>> 6; word < last; word++) {
            ones += Long.bitCount(bits[word]);
        }
        return ones + Long.bitCount(bits[last] & (-1L >>> (-to & 63)));
    }

    /** Whether no bucket has more fingerprints than may be read again. */
    boolean isReadable() {
        for (int bucket = 0; bucket < starts.length - 1; bucket++) {
            if (starts[bucket + 1] - starts[bucket] > ReadLimits.BUCKET_FINGERPRINTS) {
                return false;
            }
        }
        return true;
    }

    private void requireAscending() {
        int before = 0;
        for (int start : starts) {
            if (start < before) {
                throw new IllegalArgumentException("the set's buckets are out of order");
            }
            before = start;
        }
        if (starts[0] != 0 || before != size) {
            throw new IllegalArgumentException("the set's buckets are out of order");
        }
    }
}
