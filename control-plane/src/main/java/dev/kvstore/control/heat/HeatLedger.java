package dev.kvstore.control.heat;

import dev.kvstore.control.database.Transactions;
import dev.kvstore.protocol.block.BlockHash;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Reported uses of blocks, in the database. Thread-safe. */
final class HeatLedger {
    /** Most blocks of a row, 0.2 MB. */
    static final int ROW_BLOCKS = 4_096;

    /** Reports of an account in a region that may wait before they are merged. */
    static final int REPORTS = 64;

    /** Uses without a new report for this time are forgotten. */
    static final Duration KEPT = Duration.ofDays(30);

    /** An account in a region. */
    record HeatSubject(String region, String resourceName) {}

    private final DataSource database;

    HeatLedger(DataSource database) {
        this.database = database;
    }

    /** Stores a report, all of it or nothing, with the database's time. */
    void add(String region, Map<String, List<BlockHeat>> told) throws SQLException {
        var _ = Transactions.run(database, connection -> {
            for (Map.Entry<String, List<BlockHeat>> account : told.entrySet()) {
                insert(connection, new HeatSubject(region, account.getKey()), account.getValue(), false);
            }
            return told.size();
        });
    }

    private void insert(Connection connection, HeatSubject subject, Collection<BlockHeat> blocks, boolean merged)
            throws SQLException {
        Map<BlockHash, List<BlockHeat>> partitions = blocks.stream()
                .collect(Collectors.groupingBy(block -> block.name().root()));
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into heat (region, resource_name, root, told_at, merged, blocks, told)
                values (?, ?, ?, now(), ?, ?, ?)""")) {
            for (Map.Entry<BlockHash, List<BlockHeat>> partition : partitions.entrySet()) {
                List<BlockHeat> all = partition.getValue();
                for (int from = 0; from < all.size(); from += ROW_BLOCKS) {
                    List<BlockHeat> row = all.subList(from, Math.min(all.size(), from + ROW_BLOCKS));
                    insert.setString(1, subject.region());
                    insert.setString(2, subject.resourceName());
                    insert.setBytes(3, partition.getKey().toBytes());
                    insert.setBoolean(4, merged);
                    insert.setBytes(5, PackedHeat.pack(row));
                    insert.setBytes(6, merged ? PackedHeat.packTold(row) : null);
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    /** The known uses of an account's blocks in a region. */
    HeatMap read(HeatSubject subject) throws SQLException {
        return Transactions.run(database, connection -> {
            HeatMap map = new HeatMap();
            try (PreparedStatement select = connection.prepareStatement("""
                    select root, blocks, told, extract(epoch from told_at)::bigint from heat
                    where region = ? and resource_name = ?""")) {
                // The driver fetches row by row: all rows at once would be on the heap twice.
                select.setFetchSize(8);
                select.setString(1, subject.region());
                select.setString(2, subject.resourceName());
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        map.add(blocks(row));
                    }
                }
            }
            return map;
        });
    }

    private static List<BlockHeat> blocks(ResultSet row) throws SQLException {
        return PackedHeat.unpack(BlockHash.of(row.getBytes(1)), row.getBytes(2), row.getBytes(3), row.getLong(4));
    }

    /** Accounts and regions with so many waiting reports that they should be merged. */
    List<HeatSubject> crowded() throws SQLException {
        List<HeatSubject> crowded = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select region, resource_name from heat where not merged
                        group by region, resource_name having count(*) > ?""")) {
            select.setInt(1, REPORTS);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    crowded.add(new HeatSubject(row.getString(1), row.getString(2)));
                }
            }
        }
        return crowded;
    }

    /** Merges the waiting reports, unless another control plane is merging them. */
    void merge(HeatSubject subject) throws SQLException {
        var _ = Transactions.run(database, connection -> {
            HeatMap map = new HeatMap();
            List<Long> merged = take(connection, subject, map);
            delete(connection, merged);
            insert(connection, subject, map.hottest(), true);
            return merged;
        });
    }

    private static List<Long> take(Connection connection, HeatSubject subject, HeatMap map) throws SQLException {
        List<Long> taken = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement("""
                select root, blocks, told, extract(epoch from told_at)::bigint, id from heat
                where region = ? and resource_name = ?
                for update skip locked""")) {
            select.setFetchSize(8);
            select.setString(1, subject.region());
            select.setString(2, subject.resourceName());
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    taken.add(row.getLong(5));
                    map.add(blocks(row));
                }
            }
        }
        return taken;
    }

    private static void delete(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from heat where id = any(?)")) {
            delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
            delete.executeUpdate();
        }
    }

    /** Deletes old heat. */
    void forget() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement(
                        "delete from heat where told_at < now() - make_interval(secs => ?)")) {
            delete.setDouble(1, (double) KEPT.toSeconds());
            delete.executeUpdate();
        }
    }
}
