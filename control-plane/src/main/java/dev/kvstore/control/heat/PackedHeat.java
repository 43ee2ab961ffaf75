package dev.kvstore.control.heat;

import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Blocks of a partition as a row keeps them, big-endian: name, parent, bytes, uses. Stateless. */
final class PackedHeat {
    /** Bytes of a block. */
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

    /** The time of each block's last report, 4 bytes a block. */
    static byte[] packTold(List<BlockHeat> blocks) {
        ByteBuffer packed = ByteBuffer.allocate(blocks.size() * Integer.BYTES);
        blocks.forEach(block -> packed.putInt((int) block.told()));
        return packed.array();
    }

    /**
     * The blocks of a row.
     *
     * @param told the time of each block's last report; null if all have the same
     * @param at when the row was written
     */
    static List<BlockHeat> unpack(BlockHash root, byte[] packed, byte @Nullable [] told, long at) {
        ByteBuffer bytes = ByteBuffer.wrap(packed);
        ByteBuffer times = told == null ? null : ByteBuffer.wrap(told);
        List<BlockHeat> blocks = new ArrayList<>(packed.length / BYTES);
        while (bytes.remaining() >= BYTES) {
            BlockHash hash = BlockHash.at(bytes, bytes.position());
            bytes.position(bytes.position() + BlockHash.BYTES);
            blocks.add(new BlockHeat(
                    new BlockName(root, hash),
                    bytes.getLong(),
                    bytes.getInt(),
                    bytes.getDouble(),
                    times == null ? at : Integer.toUnsignedLong(times.getInt())));
        }
        return blocks;
    }
}
