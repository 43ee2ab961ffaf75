package dev.kvstore.control.warming.block;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.control.heat.BlockName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/** The outcomes of the blocks of chunks. Stateless. */
public final class BlockOutcomes {
    public static final byte COPIED = 1;
    public static final byte PRESENT = 2;
    public static final byte FAILED = 3;

    /**
     * The number of chunks, of 70 kB each, that are fetched at a time; rows come a few at a time only in a transaction.
     */
    public static final int FETCHED_CHUNKS = 64;

    private BlockOutcomes() {}

    /** The blocks of the last planned round that are not known to be at the destination. */
    public static Set<BlockName> notThere(Connection connection, String warming) throws SQLException {
        Set<BlockName> blocks = new HashSet<>();
        Sql.on(connection, "select blocks, outcomes from warming_chunk where warming = :warming")
                .with("warming", warming)
                .fetching(FETCHED_CHUNKS)
                .each(row -> each(row, (block, there) -> {
                    if (!there) {
                        blocks.add(block);
                    }
                }));
        return blocks;
    }

    /** Tells of each block of a chunk, a row with its blocks and outcomes, whether it is known to be at the destination. */
    public static void each(ResultSet row, BiConsumer<BlockName, Boolean> hearer) throws SQLException {
        PackedChunk chunk = PackedChunk.of(row.getBytes("blocks"));
        byte[] outcomes = row.getBytes("outcomes");
        for (int i = 0; i < chunk.size(); i++) {
            hearer.accept(chunk.name(i), i < outcomes.length && (outcomes[i] == COPIED || outcomes[i] == PRESENT));
        }
    }
}
