package dev.kvstore.protocol.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Writes block headers. Stateless. */
public final class HeaderWriter {
    private HeaderWriter() {}

    /**
     * Writes the header of a block whose buffer already lies behind it.
     *
     * @param stored header, then buffer: exactly the remaining bytes, whose position does not move
     * @param headerBytes {@link BlockHeader#headerBytes(int, int, int, int)} of this block
     * @param extra remaining bytes, at most {@link BlockHeader#MAX_EXTRA_BYTES}
     * @param keyId ASCII, at most {@link BlockHeader#MAX_KEY_ID_BYTES}
     * @return the header that was written, as a view of {@code stored}
     */
    public static BlockHeader write(
            ByteBuffer stored,
            int headerBytes,
            BlockHash root,
            BlockHash parent,
            BlockHash hash,
            Tokens tokens,
            ByteBuffer extra,
            String keyId) {
        ByteBuffer bytes = stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        int bufferBytes = bytes.capacity() - headerBytes;
        byte[] key = keyId.getBytes(US_ASCII);
        bytes.putLong(BlockHeader.MAGIC)
                .putShort(BlockHeader.VERSION)
                .putShort((short) 0)
                .putInt(headerBytes)
                .putLong(bufferBytes)
                .putInt(tokens.size())
                .putInt(extra.remaining())
                .putShort((short) key.length)
                .putShort((short) 0)
                .putInt(BlockHeader.SEGMENT_BYTES);
        root.putTo(bytes);
        parent.putTo(bytes);
        hash.putTo(bytes);
        bytes.putInt(0);
        for (int i = 0; i < tokens.size(); i++) {
            bytes.putInt(tokens.get(i));
        }
        bytes.put(extra.duplicate()).put(key);
        for (int from = 0; from < bufferBytes; from += BlockHeader.SEGMENT_BYTES) {
            int length = Math.min(BlockHeader.SEGMENT_BYTES, bufferBytes - from);
            bytes.putInt(Crc32c.of(bytes.slice(headerBytes + from, length)));
        }
        while (bytes.position() < headerBytes) {
            bytes.put((byte) 0);
        }
        ByteBuffer header = bytes.slice(0, headerBytes);
        bytes.putInt(BlockHeader.AT_CHECKSUM, checksum(header));
        return new BlockHeader(header);
    }

    /** The CRC32C of a whole header without its own checksum field. */
    static int checksum(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, BlockHeader.AT_CHECKSUM));
        crc.update(header.slice(BlockHeader.AT_VARIABLE, header.capacity() - BlockHeader.AT_VARIABLE));
        return (int) crc.getValue();
    }
}
