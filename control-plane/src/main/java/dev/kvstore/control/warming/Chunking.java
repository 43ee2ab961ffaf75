package dev.kvstore.control.warming;

import dev.kvstore.control.warming.block.BlockRef;
import dev.kvstore.control.warming.block.PackedChunk;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Makes chunks of blocks as they come. One thread uses it. */
public final class Chunking implements AutoCloseable {
    /** The bytes at which a chunk ends: some seconds of work. A lost claim costs the work that was under way. */
    static final long BYTES = 64 << 20;

    public static final int BLOCKS = 1_024;

    private static final int BATCH = 100;

    private final PreparedStatement insert;
    private final String warming;
    private final List<BlockRef> chunk = new ArrayList<>();
    private int number;
    private long chunkBytes;
    private long blocks;
    private long bytes;

    private Chunking(PreparedStatement insert, String warming) {
        this.insert = insert;
        this.warming = warming;
    }

    /** Makes chunks that replace all chunks of a warming. */
    static Chunking anew(Connection connection, String warming) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from warming_chunk where warming = ?")) {
            delete.setString(1, warming);
            delete.executeUpdate();
        }
        return new Chunking(
                connection.prepareStatement("insert into warming_chunk (warming, number, blocks) values (?, ?, ?)"),
                warming);
    }

    void add(BlockRef block) throws SQLException {
        chunk.add(block);
        chunkBytes += block.bytes();
        blocks++;
        bytes += block.bytes();
        if (chunk.size() == BLOCKS || chunkBytes >= BYTES) {
            cut();
        }
    }

    private void cut() throws SQLException {
        insert.setString(1, warming);
        insert.setInt(2, number++);
        insert.setBytes(3, PackedChunk.of(chunk).packed().toByteArray());
        insert.addBatch();
        if (number % BATCH == 0) {
            insert.executeBatch();
        }
        chunk.clear();
        chunkBytes = 0;
    }

    /** Ends the last chunk; no more blocks come. */
    void end() throws SQLException {
        if (!chunk.isEmpty()) {
            cut();
        }
        insert.executeBatch();
    }

    /** The blocks and bytes that have come so far. */
    Warming.WarmingCount all() {
        return new Warming.WarmingCount(blocks, bytes);
    }

    @Override
    public void close() throws SQLException {
        insert.close();
    }
}
