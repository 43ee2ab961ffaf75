package dev.kvstore.control.warming;

import dev.kvstore.control.warming.block.BlockRef;
import dev.kvstore.control.warming.block.PackedChunk;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Blocks that could not be copied in the last round of a warming, in the database. Thread-safe. */
public final class WarmingFailures {
    private final DataSource database;

    WarmingFailures(DataSource database) {
        this.database = database;
    }

    /** A block that could not be copied, and why. */
    public record CopyFailure(int chunk, int block, BlockRef name, String reason) {}

    /** The failures after a given one, in the order in which blocks are copied. */
    public List<CopyFailure> page(String warming, int chunk, int block, int limit) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select f.chunk, f.block, substring(c.blocks from f.block * 68 + 1 for 68), f.reason
                        from warming_failure f
                        join warming_chunk c on c.warming = f.warming and c.number = f.chunk
                        where f.warming = ? and (f.chunk, f.block) > (?, ?) order by f.chunk, f.block limit ?""")) {
            select.setString(1, warming);
            select.setInt(2, chunk);
            select.setInt(3, block);
            select.setInt(4, limit);
            List<CopyFailure> failures = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    failures.add(new CopyFailure(
                            row.getInt(1),
                            row.getInt(2),
                            PackedChunk.of(row.getBytes(3)).block(0),
                            row.getString(4)));
                }
            }
            return failures;
        }
    }
}
