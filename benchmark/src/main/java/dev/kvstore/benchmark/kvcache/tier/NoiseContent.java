package dev.kvstore.benchmark.kvcache.tier;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The bytes of entries: pages of noise, which no storage can compress, each stamped with its entry and its place in it,
 * so that none is stored once for several and a wrong one is noticed. Thread-safe.
 */
public final class NoiseContent {
    public static final int PAGE_BYTES = 4_096;

    private static final int NOISE_PAGES = 4_096;
    private static final long STAMP_BYTES = 2 * Long.BYTES;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final MemorySegment noise = Arena.ofAuto().allocate((long) NOISE_PAGES * PAGE_BYTES, PAGE_BYTES);

    /** @param seed of the noise */
    public NoiseContent(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long at = 0; at < noise.byteSize(); at += Long.BYTES) {
            noise.set(LONG, at, random.nextLong());
        }
    }

    /** The seed of an entry, computed from its key. */
    public static long seed(String key) {
        long hash = MIX;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        }
        return hash ^ (hash >>> 32);
    }

    /**
     * Fills memory with a part of an entry, in whole pages.
     *
     * @param offset in the entry, of a page
     */
    public void fill(EntryBytes blob, long offset, MemorySegment into) {
        long page = offset / PAGE_BYTES;
        for (long at = 0; at < into.byteSize(); at += PAGE_BYTES, page++) {
            long source = ((blob.seed() + page * MIX) >>> 40) % NOISE_PAGES * PAGE_BYTES;
            MemorySegment.copy(noise, source, into, at, Math.min(PAGE_BYTES, into.byteSize() - at));
            if (into.byteSize() - at >= STAMP_BYTES) {
                into.set(LONG, at, blob.seed());
                into.set(LONG, at + Long.BYTES, page);
            }
        }
    }

    /**
     * Where in the entry the first page is that does not have its stamp; -1 if there is none.
     *
     * @param offset in the entry, of any byte: of a page that is not whole, the part that is there is looked at
     */
    public static long firstWrong(EntryBytes blob, long offset, MemorySegment in) {
        for (long page = offset / PAGE_BYTES; ; page++) {
            long start = page * PAGE_BYTES;
            long at = start - offset;
            if (at >= in.byteSize() || blob.bytes() - start < STAMP_BYTES) {
                return -1;
            }
            boolean whole = at >= 0 && in.byteSize() - at >= STAMP_BYTES;
            if (whole
                    ? in.get(LONG, at) != blob.seed() || in.get(LONG, at + Long.BYTES) != page
                    : isWrong(blob.seed(), page, at, in)) {
                return start;
            }
        }
    }

    /** Whether a byte differs of the part of a stamp that is there. */
    private static boolean isWrong(long seed, long page, long at, MemorySegment in) {
        for (long i = Math.max(0, -at); i < Math.min(STAMP_BYTES, in.byteSize() - at); i++) {
            long word = i < Long.BYTES ? seed : page;
            if (in.get(ValueLayout.JAVA_BYTE, at + i) != (byte) (word >>> (i % Long.BYTES * Byte.SIZE))) {
                return true;
            }
        }
        return false;
    }

    static void check(EntryBytes blob, long offset, MemorySegment in, boolean check) throws DamageException {
        long wrong = check ? firstWrong(blob, offset, in) : -1;
        if (wrong >= 0) {
            throw new DamageException(blob, wrong);
        }
    }
}
