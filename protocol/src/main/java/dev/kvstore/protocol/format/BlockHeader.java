package dev.kvstore.protocol.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header that precedes a block's buffer in storage; {@code protocol/README.md} has the layout byte by byte.
 * Immutable; {@link #tokens}, {@link #extra} and the checksums are views of the bytes it was parsed from.
 *
 * <p>A stored block is {@link #headerBytes()} of header, a multiple of {@link #PAGE_BYTES}, then the buffer. The
 * header carries a checksum of itself and one per {@link #SEGMENT_BYTES} of the buffer, so that a segment can be
 * verified and served before the rest has arrived.
 */
public final class BlockHeader {
    /** The unit to which the header is padded, so that the buffer begins on a page. */
    public static final int PAGE_BYTES = 4096;

    /** The bytes of a buffer under one checksum. */
    public static final int SEGMENT_BYTES = 128 * 1024;

    public static final int MAX_BUFFER_BYTES = 64 * 1024 * 1024;
    public static final int MAX_EXTRA_BYTES = 64 * 1024;
    public static final int MAX_KEY_ID_BYTES = 64;

    /** The length of the longest header: every part at its limit, padded. */
    public static final int MAX_HEADER_BYTES = 25 * PAGE_BYTES;

    static final long MAGIC = ByteBuffer.wrap("KVBLOCK\0".getBytes(US_ASCII))
            .order(ByteOrder.LITTLE_ENDIAN)
            .getLong();
    static final short VERSION = 1;

    static final int AT_MAGIC = 0;
    static final int AT_VERSION = 8;
    static final int AT_FLAGS = 10;
    static final int AT_HEADER_BYTES = 12;
    static final int AT_BUFFER_BYTES = 16;
    static final int AT_TOKENS = 24;
    static final int AT_EXTRA_BYTES = 28;
    static final int AT_KEY_ID_BYTES = 32;
    static final int AT_SEGMENT_BYTES = 36;
    static final int AT_ROOT = 40;
    static final int AT_PARENT = 72;
    static final int AT_HASH = 104;
    static final int AT_CHECKSUM = 136;
    static final int AT_VARIABLE = 140;

    private final ByteBuffer bytes;

    BlockHeader(ByteBuffer bytes) {
        this.bytes =
                bytes.slice().order(ByteOrder.LITTLE_ENDIAN).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The same header in memory of its own, which outlives the bytes that this one was parsed from. */
    public BlockHeader copy() {
        return new BlockHeader(
                ByteBuffer.allocate(bytes.capacity()).put(bytes.duplicate()).flip());
    }

    /** The length of a header of a block of this shape, padding included. */
    public static int headerBytes(int tokens, int extraBytes, int keyIdBytes, int bufferBytes) {
        int used = AT_VARIABLE + 4 * tokens + extraBytes + keyIdBytes + 4 * segments(bufferBytes);
        return (used + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /** The number of checksummed segments of a buffer. */
    public static int segments(int bufferBytes) {
        return (bufferBytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
    }

    public int headerBytes() {
        return bytes.getInt(AT_HEADER_BYTES);
    }

    /** The length of the buffer, 1 to {@link #MAX_BUFFER_BYTES}. */
    public int bufferBytes() {
        return (int) bytes.getLong(AT_BUFFER_BYTES);
    }

    public BlockHash root() {
        return BlockHash.at(bytes, AT_ROOT);
    }

    public BlockHash parent() {
        return BlockHash.at(bytes, AT_PARENT);
    }

    public BlockHash hash() {
        return BlockHash.at(bytes, AT_HASH);
    }

    public Tokens tokens() {
        return Tokens.of(bytes.slice(AT_VARIABLE, 4 * bytes.getInt(AT_TOKENS)));
    }

    public ByteBuffer extra() {
        return bytes.slice(atExtra(), bytes.getInt(AT_EXTRA_BYTES));
    }

    /** The id of the API key that wrote the block, without its secret; empty if the header does not name it. */
    public String keyId() {
        return US_ASCII.decode(keyIdBytes()).toString();
    }

    /** The id of {@link #keyId} in ASCII, as a view. */
    public ByteBuffer keyIdBytes() {
        return bytes.slice(atKeyId(), bytes.getShort(AT_KEY_ID_BYTES));
    }

    /** The number of checksummed segments of the buffer. */
    public int segments() {
        return segments(bufferBytes());
    }

    /** The CRC32C of segment {@code index}, 0 to segments - 1. */
    public int segmentCrc32c(int index) {
        return bytes.getInt(atKeyId() + bytes.getShort(AT_KEY_ID_BYTES) + 4 * index);
    }

    /** The length of segment {@code index}: {@link #SEGMENT_BYTES}, or less for the last. */
    public int segmentBytes(int index) {
        return Math.min(SEGMENT_BYTES, bufferBytes() - index * SEGMENT_BYTES);
    }

    /** The CRC32C of {@code count} segments from {@code first} on, computed without reading them. */
    public int crc32c(int first, int count) {
        int crc = segmentCrc32c(first);
        for (int i = first + 1; i < first + count; i++) {
            crc = Crc32c.combine(crc, segmentCrc32c(i), segmentBytes(i));
        }
        return crc;
    }

    /** The CRC32C of the whole buffer. */
    public int crc32c() {
        return crc32c(0, segments());
    }

    private int atExtra() {
        return AT_VARIABLE + 4 * bytes.getInt(AT_TOKENS);
    }

    private int atKeyId() {
        return atExtra() + bytes.getInt(AT_EXTRA_BYTES);
    }
}
