package dev.kvstore.control.warming;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.control.warming.block.BlockRef;
import dev.kvstore.control.warming.block.PackedChunk;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Makes chunks of blocks as they come. One thread uses it. */
public final class Chunking {
    /** The bytes at which a chunk ends: some seconds of work. A lost claim costs the work that was under way. */
    static final long BYTES = 64 << 20;

    public static final int BLOCKS = 1_024;

    private static final int BATCH = 100;

    private final Connection connection;

    @SuppressWarnings("ArrayRecordComponent") // Nothing compares rows of a batch.
    private record ChunkRow(int number, byte[] blocks) {}

    private final String warming;
    private final List<BlockRef> chunk = new ArrayList<>();
    private final List<ChunkRow> batch = new ArrayList<>();
    private int number;
    private long chunkBytes;
    private long blocks;
    private long bytes;

    private Chunking(Connection connection, String warming) {
        this.connection = connection;
        this.warming = warming;
    }

    /** Makes chunks that replace all chunks of a warming. */
    static Chunking anew(Connection connection, String warming) throws SQLException {
        var _ = Sql.on(connection, "delete from warming_chunk where warming = :warming")
                .with("warming", warming)
                .run();
        return new Chunking(connection, warming);
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
        batch.add(new ChunkRow(number++, PackedChunk.of(chunk).packed().toByteArray()));
        if (batch.size() == BATCH) {
            insert();
        }
        chunk.clear();
        chunkBytes = 0;
    }

    private void insert() throws SQLException {
        Sql.on(connection, "insert into warming_chunk (warming, number, blocks) values (:warming, :number, :blocks)")
                .with("warming", warming)
                .runEach(batch);
        batch.clear();
    }

    /** Ends the last chunk; no more blocks come. */
    void end() throws SQLException {
        if (!chunk.isEmpty()) {
            cut();
        }
        insert();
    }

    /** The blocks and bytes that have come so far. */
    Warming.WarmingCount all() {
        return new Warming.WarmingCount(blocks, bytes);
    }
}
