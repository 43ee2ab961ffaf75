package dev.kvstore.protocol.format;

import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads and verifies block headers. Stateless. */
public final class HeaderReader {
    /** The outcome of reading a header. */
    public sealed interface HeaderResult {
        /** The header is whole, and its checksum holds. */
        record WholeHeader(BlockHeader header) implements HeaderResult {}

        /** The header has {@code headerBytes}, more than were given. */
        record Longer(int headerBytes) implements HeaderResult {}

        /** The block was written by a version, or with a flag, that this version does not know. It counts as absent. */
        record Unknown(int version) implements HeaderResult {}

        /** The header is damaged. */
        record DamagedHeader(String reason) implements HeaderResult {}
    }

    private HeaderReader() {}

    /**
     * Reads the header at the start of a buffer's remaining bytes, whose position does not move.
     *
     * @param stored at least the first page of a stored block; the bytes after the header are ignored
     */
    public static HeaderResult read(ByteBuffer stored) {
        ByteBuffer bytes = stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.capacity() < BlockHeader.AT_VARIABLE) {
            return new HeaderResult.DamagedHeader("only " + bytes.capacity() + " bytes");
        }
        if (bytes.getLong(BlockHeader.AT_MAGIC) != BlockHeader.MAGIC) {
            return new HeaderResult.DamagedHeader("not a block: wrong magic");
        }
        int version = Short.toUnsignedInt(bytes.getShort(BlockHeader.AT_VERSION));
        if (version != BlockHeader.VERSION || bytes.getShort(BlockHeader.AT_FLAGS) != 0) {
            return new HeaderResult.Unknown(version);
        }
        int headerBytes = bytes.getInt(BlockHeader.AT_HEADER_BYTES);
        if (!isPlausible(bytes, headerBytes)) {
            return new HeaderResult.DamagedHeader("lengths in the header contradict each other");
        }
        if (bytes.capacity() < headerBytes) {
            return new HeaderResult.Longer(headerBytes);
        }
        ByteBuffer header = bytes.slice(0, headerBytes);
        if (HeaderWriter.checksum(header) != bytes.getInt(BlockHeader.AT_CHECKSUM)) {
            return new HeaderResult.DamagedHeader("the header fails its checksum");
        }
        return new HeaderResult.WholeHeader(new BlockHeader(header));
    }

    private static boolean isPlausible(ByteBuffer bytes, int headerBytes) {
        long buffer = bytes.getLong(BlockHeader.AT_BUFFER_BYTES);
        int tokens = bytes.getInt(BlockHeader.AT_TOKENS);
        int extra = bytes.getInt(BlockHeader.AT_EXTRA_BYTES);
        int keyId = bytes.getShort(BlockHeader.AT_KEY_ID_BYTES);
        return buffer >= 1
                && buffer <= BlockHeader.MAX_BUFFER_BYTES
                && tokens >= 1
                && tokens <= Partition.MAX_BLOCK_TOKENS
                && extra >= 0
                && extra <= BlockHeader.MAX_EXTRA_BYTES
                && keyId >= 0
                && keyId <= BlockHeader.MAX_KEY_ID_BYTES
                && bytes.getInt(BlockHeader.AT_SEGMENT_BYTES) == BlockHeader.SEGMENT_BYTES
                && headerBytes == BlockHeader.headerBytes(tokens, extra, keyId, (int) buffer);
    }
}
