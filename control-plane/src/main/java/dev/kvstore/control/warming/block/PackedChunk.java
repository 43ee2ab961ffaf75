package dev.kvstore.control.warming.block;

import com.google.protobuf.ByteString;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The blocks of a chunk as a row keeps them, big-endian: root, hash, length.
 *
 * @param packed {@value #BYTES} bytes a block
 */
public record PackedChunk(ByteString packed) {
    private static final int NAME_BYTES = 2 * BlockHash.BYTES;

    /** Bytes of a block. */
    static final int BYTES = NAME_BYTES + Integer.BYTES;

    public static PackedChunk of(byte[] packed) {
        return new PackedChunk(ByteString.copyFrom(packed));
    }

    public static PackedChunk of(List<BlockRef> blocks) {
        ByteBuffer packed = ByteBuffer.allocate(blocks.size() * BYTES);
        for (BlockRef block : blocks) {
            block.root().putTo(packed);
            block.hash().putTo(packed);
            packed.putInt(block.bytes());
        }
        return new PackedChunk(ByteString.copyFrom(packed.flip()));
    }

    public int size() {
        return packed.size() / BYTES;
    }

    public BlockRef block(int index) {
        ByteBuffer bytes = packed.asReadOnlyByteBuffer();
        int at = index * BYTES;
        return new BlockRef(
                BlockHash.at(bytes, at), BlockHash.at(bytes, at + BlockHash.BYTES), bytes.getInt(at + NAME_BYTES));
    }

    public BlockName name(int index) {
        ByteBuffer bytes = packed.asReadOnlyByteBuffer();
        int at = index * BYTES;
        return new BlockName(BlockHash.at(bytes, at), BlockHash.at(bytes, at + BlockHash.BYTES));
    }

    public List<Integer> lengths() {
        return IntStream.range(0, size()).mapToObj(i -> block(i).bytes()).toList();
    }

    /** The roots and hashes alone, in the form of the wire. */
    public ByteString names() {
        ByteString.Output names = ByteString.newOutput(size() * NAME_BYTES);
        byte[] bytes = packed.toByteArray();
        for (int at = 0; at < bytes.length; at += BYTES) {
            names.write(bytes, at, NAME_BYTES);
        }
        return names.toByteString();
    }
}
