package dev.kvstore.control.heat;

import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Blocks of a partition as a row keeps them, big-endian: name, parent, bytes, uses. Stateless. */
final class PackedHeat {
    /** Of a block. */
    static final int BYTES = BlockHash.BYTES + Long.BYTES + Integer.BYTES + Double.BYTES;

    private PackedHeat() {}

    static byte[] pack(List<BlockHeat> blocks) {
        ByteBuffer packed = ByteBuffer.allocate(blocks.size() * BYTES);
        for (BlockHeat block : blocks) {
            block.name().hash().putTo(packed);
            packed.putLong(block.parent()).putInt(block.bytes()).putDouble(block.uses());
        }
        return packed.array();
    }

    static List<BlockHeat> unpack(BlockHash root, byte[] packed) {
        ByteBuffer bytes = ByteBuffer.wrap(packed);
        List<BlockHeat> blocks = new ArrayList<>(packed.length / BYTES);
        while (bytes.remaining() >= BYTES) {
            BlockHash hash = BlockHash.at(bytes, bytes.position());
            bytes.position(bytes.position() + BlockHash.BYTES);
            blocks.add(new BlockHeat(new BlockName(root, hash), bytes.getLong(), bytes.getInt(), bytes.getDouble()));
        }
        return blocks;
    }
}
