package dev.kvstore.protocol.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * A SHA-256 that names a block, or a partition's root. Immutable; equal by value.
 *
 * <p>Held as four big-endian words, so that a map of blocks needs one object per name and no array.
 */
public record BlockHash(long a, long b, long c, long d) {
    /** The length of a hash in bytes. */
    public static final int BYTES = 32;

    /**
     * The hash in an array.
     *
     * @throws IllegalArgumentException unless there are exactly 32 bytes
     */
    public static BlockHash of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /**
     * The hash in a buffer's remaining bytes, whose position does not move.
     *
     * @throws IllegalArgumentException unless exactly 32 bytes remain
     */
    public static BlockHash of(ByteBuffer bytes) {
        if (bytes.remaining() != BYTES) {
            throw new IllegalArgumentException("a hash has 32 bytes, not " + bytes.remaining());
        }
        return at(bytes, bytes.position());
    }

    /** The hash at an absolute position of a buffer, whose position does not move. */
    public static BlockHash at(ByteBuffer bytes, int position) {
        ByteBuffer view = bytes.order() == ByteOrder.BIG_ENDIAN
                ? bytes
                : bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new BlockHash(
                view.getLong(position),
                view.getLong(position + 8),
                view.getLong(position + 16),
                view.getLong(position + 24));
    }

    /**
     * The hash in a text.
     *
     * @throws IllegalArgumentException unless the text is 64 hexadecimal digits
     */
    public static BlockHash ofHex(String hex) {
        return of(HexFormat.of().parseHex(hex));
    }

    /** Writes the 32 bytes at the buffer's position and moves it on. */
    public void putTo(ByteBuffer target) {
        ByteOrder order = target.order();
        target.order(ByteOrder.BIG_ENDIAN).putLong(a).putLong(b).putLong(c).putLong(d);
        target.order(order);
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        putTo(ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** The hash as 64 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(toBytes());
    }

    @Override
    public String toString() {
        return hex();
    }

    /** The bits are a hash already, so some of them serve as hash code. */
    @Override
    public int hashCode() {
        return Long.hashCode(d);
    }
}
