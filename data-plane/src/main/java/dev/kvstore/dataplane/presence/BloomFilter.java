package dev.kvstore.dataplane.presence;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/**
 * A split block Bloom filter: a key touches one run of 32 bytes, a bit in each of its eight words, so that a question
 * costs one cache line. Keys must be spread evenly over all 64 bits. Not thread-safe while keys are added.
 *
 * <p>After Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", in the form that Apache Parquet
 * specifies; the salts are Parquet's. At 20 bits a key some 4 in 10,000 absent keys are taken for present.
 */
final class BloomFilter {
    private static final int BITS_PER_KEY = 20;
    private static final int WORDS = 8;
    private static final int MAX_KEYS = 100_000_000;
    private static final int[] SALT = {
        0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
    };

    private final int[] words;
    private final int capacity;
    private int size;

    private BloomFilter(int[] words, int capacity, int size) {
        this.words = words;
        this.capacity = capacity;
        this.size = size;
    }

    /**
     * An empty filter.
     *
     * @param capacity keys it is made for, 1 to 100 million; more make it answer yes more often
     */
    static BloomFilter ofCapacity(int capacity) {
        return new BloomFilter(new int[words(capacity)], capacity, 0);
    }

    private static int words(int capacity) {
        if (capacity < 1 || capacity > MAX_KEYS) {
            throw new IllegalArgumentException("a filter has a capacity of 1 to " + MAX_KEYS + ", not " + capacity);
        }
        return Math.toIntExact(Math.ceilDiv((long) capacity * BITS_PER_KEY, WORDS * Integer.SIZE) * WORDS);
    }

    BloomFilter copy() {
        return new BloomFilter(words.clone(), capacity, size);
    }

    /** Adds a key; one that seems to be here already is not counted again. */
    void add(long key) {
        int block = block(key);
        boolean isNew = false;
        for (int i = 0; i < WORDS; i++) {
            int bit = bit(key, i);
            isNew |= (words[block + i] & bit) == 0;
            words[block + i] |= bit;
        }
        if (isNew) {
            size++;
        }
    }

    /** False only for a key that was not added. */
    boolean mightContain(long key) {
        int block = block(key);
        for (int i = 0; i < WORDS; i++) {
            if ((words[block + i] & bit(key, i)) == 0) {
                return false;
            }
        }
        return true;
    }

    // The upper half of the key chooses the block, evenly without a division; the lower half its bits.
    private int block(long key) {
        return (int) (((key >>> 32) * (words.length / WORDS)) >>> 32) * WORDS;
    }

    private static int bit(long key, int word) {
        return 1 << (((int) key * SALT[word]) >>> 27);
    }

    /** Keys added, as far as the filter could tell them apart. */
    int size() {
        return size;
    }

    int capacity() {
        return capacity;
    }

    /** Bytes of {@link #writeTo}, and about the heap it takes. */
    int encodedBytes() {
        return 2 * Integer.BYTES + words.length * Integer.BYTES;
    }

    /** Capacity, size and words as int32 in the buffer's byte order. */
    void writeTo(ByteBuffer target) {
        target.putInt(capacity).putInt(size);
        target.asIntBuffer().put(words);
        target.position(target.position() + words.length * Integer.BYTES);
    }

    /**
     * The filter at a buffer's position, which moves on.
     *
     * @throws IllegalArgumentException if there is none
     */
    static BloomFilter readFrom(ByteBuffer source) {
        if (source.remaining() < 2 * Integer.BYTES) {
            throw new IllegalArgumentException("a filter ends early");
        }
        int capacity = source.getInt();
        int size = source.getInt();
        int[] words = new int[Math.min(words(capacity), source.remaining() / Integer.BYTES)];
        if (words.length < words(capacity) || size < 0) {
            throw new IllegalArgumentException("a filter ends early");
        }
        IntBuffer ints = source.asIntBuffer();
        ints.get(words);
        source.position(source.position() + words.length * Integer.BYTES);
        return new BloomFilter(words, capacity, size);
    }
}
