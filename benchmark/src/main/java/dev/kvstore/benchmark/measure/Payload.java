package dev.kvstore.benchmark.measure;

import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The buffer of a block as demo and benchmarks have it: bytes that follow from the block's name alone, so that a reader
 * that knows the name can check each of them. Word {@code i} (8 bytes, little-endian) is SplitMix64's output number
 * {@code i} for the seed {@code a ^ b ^ c ^ d} of the name. Nothing is allocated per block; some GB/s on one core.
 */
public final class Payload {
    // SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
    private static final long MIX_2 = 0x94D049BB133111EBL;

    private Payload() {}

    /** Fills the buffer from its position to its limit, and leaves the position where it was. */
    public static void fill(BlockHash block, ByteBuffer target) {
        ByteBuffer bytes = target.slice().order(ByteOrder.LITTLE_ENDIAN);
        long seed = seed(block);
        int whole = bytes.capacity() & ~7;
        for (int i = 0; i < whole; i += 8) {
            bytes.putLong(i, word(seed, i >>> 3));
        }
        for (int i = whole; i < bytes.capacity(); i++) {
            bytes.put(i, byteAt(seed, i));
        }
    }

    /**
     * Where a block's bytes first differ from the expected bytes.
     *
     * @param length how many bytes there should be
     * @param pieces the received bytes, in order; their positions stay
     * @return an offset, {@code length} if there are more bytes than that, the number of bytes if there are fewer, or
     *     -1
     */
    public static long firstDifference(BlockHash block, int length, List<ByteBuffer> pieces) {
        long seed = seed(block);
        long offset = 0;
        for (ByteBuffer piece : pieces) {
            int different = firstDifference(seed, offset, piece.slice().order(ByteOrder.LITTLE_ENDIAN));
            if (different >= 0) {
                return Math.min(length, offset + different);
            }
            offset += piece.remaining();
        }
        return offset == length ? -1 : Math.min(offset, length);
    }

    private static int firstDifference(long seed, long offset, ByteBuffer piece) {
        int size = piece.capacity();
        int i = 0;
        for (; i < size && ((offset + i) & 7) != 0; i++) {
            if (piece.get(i) != byteAt(seed, offset + i)) {
                return i;
            }
        }
        for (; i + 8 <= size; i += 8) {
            long difference = piece.getLong(i) ^ word(seed, (offset + i) >>> 3);
            if (difference != 0) {
                return i + Long.numberOfTrailingZeros(difference) / 8;
            }
        }
        for (; i < size; i++) {
            if (piece.get(i) != byteAt(seed, offset + i)) {
                return i;
            }
        }
        return -1;
    }

    private static long seed(BlockHash block) {
        return block.a() ^ block.b() ^ block.c() ^ block.d();
    }

    private static byte byteAt(long seed, long offset) {
        return (byte) (word(seed, offset >>> 3) >>> ((offset & 7) << 3));
    }

    private static long word(long seed, long index) {
        long z = seed + (index + 1) * GAMMA;
        z = (z ^ (z >>> 30)) * MIX_1;
        z = (z ^ (z >>> 27)) * MIX_2;
        return z ^ (z >>> 31);
    }
}
