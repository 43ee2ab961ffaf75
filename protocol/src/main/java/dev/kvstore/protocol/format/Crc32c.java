package dev.kvstore.protocol.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C (Castagnoli, reflected polynomial 0x82F63B78, RFC 3720), the checksum of everything stored or sent. Stateless.
 */
public final class Crc32c {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int[] SEGMENT_SHIFT = shiftOperator(BlockHeader.SEGMENT_BYTES);

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
     * @param secondBytes length of the second, 0 or more
     */
    public static int combine(int crcOfFirst, int crcOfSecond, long secondBytes) {
        if (secondBytes == 0) {
            return crcOfFirst;
        }
        int[] shift = secondBytes == BlockHeader.SEGMENT_BYTES ? SEGMENT_SHIFT : shiftOperator(secondBytes);
        return times(shift, crcOfFirst) ^ crcOfSecond;
    }

    /**
     * The GF(2) matrix that moves a checksum past {@code bytes} zero bytes, by repeated squaring (the method of zlib's
     * crc32_combine).
     */
    private static int[] shiftOperator(long bytes) {
        int[] power = new int[32];
        power[0] = POLYNOMIAL;
        for (int i = 1; i < 32; i++) {
            power[i] = 1 << (i - 1);
        }
        int[] result = new int[32];
        for (int i = 0; i < 32; i++) {
            result[i] = 1 << i;
        }
        for (long bits = bytes * 8; bits != 0; bits >>= 1) {
            if ((bits & 1) != 0) {
                result = product(power, result);
            }
            power = product(power, power);
        }
        return result;
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
