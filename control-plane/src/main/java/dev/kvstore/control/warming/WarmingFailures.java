package dev.kvstore.control.warming;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.control.warming.block.BlockRef;
import dev.kvstore.control.warming.block.PackedChunk;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Blocks that could not be copied in the last round of a warming, in the database. Thread-safe. */
@Singleton
public final class WarmingFailures {
    private final DataSource database;

    WarmingFailures(DataSource database) {
        this.database = database;
    }

    /** A block that could not be copied, and why. */
    public record CopyFailure(int chunk, int block, BlockRef name, String reason) {}

    /** The failures after a given one, in the order in which blocks are copied. */
    public List<CopyFailure> page(String warming, int chunk, int block, int limit) throws SQLException {
        return Sql.on(database, """
                        select f.chunk, f.block, substring(c.blocks from f.block * 68 + 1 for 68) as name, f.reason
                        from warming_failure f
                        join warming_chunk c on c.warming = f.warming and c.number = f.chunk
                        where f.warming = :warming and (f.chunk, f.block) > (:chunk, :block)
                        order by f.chunk, f.block limit :limit""")
                .with("warming", warming)
                .with("chunk", chunk)
                .with("block", block)
                .with("limit", limit)
                .list(row -> new CopyFailure(
                        row.getInt("chunk"),
                        row.getInt("block"),
                        PackedChunk.of(row.getBytes("name")).block(0),
                        row.getString("reason")));
    }
}
