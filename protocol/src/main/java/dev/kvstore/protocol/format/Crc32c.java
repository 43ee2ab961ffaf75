package dev.kvstore.protocol.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C (Castagnoli, reflected polynomial 0x82F63B78, RFC 3720), the checksum of everything stored or sent. Stateless.
 */
public final class Crc32c {
    private static final int POLYNOMIAL = 0x82F63B78;
    /** The matrix k of this array moves a checksum past 2^k zero bytes; no block has 2^31. */
    private static final int[][] SHIFTS = shifts();

    private Crc32c() {}

    /** The checksum of a buffer's remaining bytes, whose position does not move. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** The checksum of several buffers' remaining bytes, one after the other. */
    public static int of(Iterable<ByteBuffer> buffers) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer bytes : buffers) {
            crc.update(bytes.duplicate());
        }
        return (int) crc.getValue();
    }

    /**
     * The checksum of two byte strings one after the other, from the checksums of each.
     *
     * @param crcOfFirst checksum of the first
     * @param crcOfSecond checksum of the second
     * @param secondBytes length of the second, 0 to 2 GiB - 1
     */
    public static int combine(int crcOfFirst, int crcOfSecond, int secondBytes) {
        int shifted = crcOfFirst;
        for (int bits = secondBytes; bits != 0; bits &= bits - 1) {
            shifted = times(SHIFTS[Integer.numberOfTrailingZeros(bits)], shifted);
        }
        return shifted ^ crcOfSecond;
    }

    /**
     * Computes GF(2) matrices by repeated squaring (the method of zlib's crc32_combine), from the one for a single zero
     * bit.
     */
    private static int[][] shifts() {
        int[] bit = new int[32];
        bit[0] = POLYNOMIAL;
        for (int i = 1; i < 32; i++) {
            bit[i] = 1 << (i - 1);
        }
        int[] twoBits = product(bit, bit);
        int[] fourBits = product(twoBits, twoBits);
        int[][] shifts = new int[31][];
        shifts[0] = product(fourBits, fourBits);
        for (int k = 1; k < shifts.length; k++) {
            shifts[k] = product(shifts[k - 1], shifts[k - 1]);
        }
        return shifts;
    }

    private static int[] product(int[] a, int[] b) {
        int[] c = new int[32];
        for (int i = 0; i < 32; i++) {
            c[i] = times(a, b[i]);
        }
        return c;
    }

    private static int times(int[] matrix, int vector) {
        int sum = 0;
        for (int v = vector; v != 0; v &= v - 1) {
            sum ^= matrix[Integer.numberOfTrailingZeros(v)];
        }
        return sum;
    }
}
