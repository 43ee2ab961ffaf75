package dev.kvstore.control.heat;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.protocol.block.BlockHash;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reported uses of blocks, in the database. Thread-safe. */
@Singleton
final class HeatLedger {
    /** Most blocks of a row, 0.2 MB. */
    static final int ROW_BLOCKS = 4_096;

    /** Reports of an account in a region that may wait before they are merged. */
    static final int REPORTS = 64;

    private static final int FETCHED = 8;

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

    @SuppressWarnings("ArrayRecordComponent") // Nothing compares rows of a batch.
    private record HeatRow(byte[] root, byte[] blocks, byte @Nullable [] told) {}

    private void insert(Connection connection, HeatSubject subject, Collection<BlockHeat> blocks, boolean merged)
            throws SQLException {
        List<HeatRow> rows = new ArrayList<>();
        blocks.stream()
                .collect(Collectors.groupingBy(block -> block.name().root()))
                .forEach((root, all) -> {
                    for (int from = 0; from < all.size(); from += ROW_BLOCKS) {
                        List<BlockHeat> row = all.subList(from, Math.min(all.size(), from + ROW_BLOCKS));
                        rows.add(new HeatRow(
                                root.toBytes(), PackedHeat.pack(row), merged ? PackedHeat.packTold(row) : null));
                    }
                });
        Sql.on(connection, """
                        insert into heat (region, resource_name, root, told_at, merged, blocks, told)
                        values (:region, :resourceName, :root, now(), :merged, :blocks, :told)""").with(subject).with("merged", merged).runEach(rows);
    }

    /** The known uses of an account's blocks in a region. */
    HeatMap read(HeatSubject subject) throws SQLException {
        return Transactions.run(database, connection -> {
            HeatMap map = new HeatMap();
            // The driver fetches row by row: all rows at once would be on the heap twice.
            Sql.on(connection, """
                            select root, blocks, told, extract(epoch from told_at)::bigint as told_at from heat
                            where region = :region and resource_name = :resourceName""").with(subject).fetching(FETCHED).each(row -> map.add(blocks(row)));
            return map;
        });
    }

    private static List<BlockHeat> blocks(ResultSet row) throws SQLException {
        return PackedHeat.unpack(
                BlockHash.of(row.getBytes("root")),
                row.getBytes("blocks"),
                row.getBytes("told"),
                row.getLong("told_at"));
    }

    /** Accounts and regions with so many waiting reports that they should be merged. */
    List<HeatSubject> crowded() throws SQLException {
        return Sql.on(database, """
                        select region, resource_name from heat where not merged
                        group by region, resource_name having count(*) > :reports""").with("reports", REPORTS).list(HeatSubject.class);
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
        Sql.on(connection, """
                        select root, blocks, told, extract(epoch from told_at)::bigint as told_at, id from heat
                        where region = :region and resource_name = :resourceName
                        for update skip locked""").with(subject).fetching(FETCHED).each(row -> {
            taken.add(row.getLong("id"));
            map.add(blocks(row));
        });
        return taken;
    }

    private static void delete(Connection connection, List<Long> ids) throws SQLException {
        var _ = Sql.on(connection, "delete from heat where id = any(:ids)")
                .array("ids", "bigint", ids)
                .run();
    }

    /** Deletes old heat. */
    void forget() throws SQLException {
        var _ = Sql.on(database, "delete from heat where told_at < now() - make_interval(secs => :kept)")
                .with("kept", KEPT)
                .run();
    }
}
