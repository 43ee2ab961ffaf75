package dev.kvstore.protocol.format;

import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads and verifies block headers. Stateless. */
public final class HeaderReader {
    /** The outcome of reading a header. */
    public sealed interface Result {
        /** The header is whole, and its checksum holds. */
        record Whole(BlockHeader header) implements Result {}

        /** The header has {@code headerBytes}, more than were given. */
        record Longer(int headerBytes) implements Result {}

        /** The block was written by a version, or with a flag, that this version does not know. It counts as absent. */
        record Unknown(int version) implements Result {}

        /** The header is damaged. */
        record Damaged(String reason) implements Result {}
    }

    private HeaderReader() {}

    /**
     * Reads the header at the start of a buffer's remaining bytes, whose position does not move.
     *
     * @param stored at least the first page of a stored block; whatever follows the header is ignored
     */
    public static Result read(ByteBuffer stored) {
        ByteBuffer bytes = stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.capacity() < BlockHeader.AT_VARIABLE) {
            return new Result.Damaged("only " + bytes.capacity() + " bytes");
        }
        if (bytes.getLong(BlockHeader.AT_MAGIC) != BlockHeader.MAGIC) {
            return new Result.Damaged("not a block: wrong magic");
        }
        int version = Short.toUnsignedInt(bytes.getShort(BlockHeader.AT_VERSION));
        if (version != BlockHeader.VERSION || bytes.getShort(BlockHeader.AT_FLAGS) != 0) {
            return new Result.Unknown(version);
        }
        int headerBytes = bytes.getInt(BlockHeader.AT_HEADER_BYTES);
        if (!isPlausible(bytes, headerBytes)) {
            return new Result.Damaged("lengths in the header contradict each other");
        }
        if (bytes.capacity() < headerBytes) {
            return new Result.Longer(headerBytes);
        }
        ByteBuffer header = bytes.slice(0, headerBytes);
        if (HeaderWriter.checksum(header) != bytes.getInt(BlockHeader.AT_CHECKSUM)) {
            return new Result.Damaged("the header fails its checksum");
        }
        return new Result.Whole(new BlockHeader(header));
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
