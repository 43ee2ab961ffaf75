package dev.kvstore.benchmark.control;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalDatabase;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The PostgreSQL of a control plane that the benchmark started, past the control plane. For one thread. */
public final class OwnDatabase implements AutoCloseable {
    private static final int BATCH = 10_000;

    // Bytes of a block in the column heat.blocks.
    private static final int HEAT_BYTES = 52;

    /** Blocks of a row. */
    private static final int HEAT_ROW = 4_096;

    private static final int HEAT_BUFFER = 1_200_000;
    private static final double HEAT_MOST = 20;

    // A copy of the model except for the named columns: so it is complete whatever columns there are.
    private static final String COPY = """
            insert into %1$s
            select copy.* from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
                as made (pattern, name, tenant, region, state, container)
            join %1$s model on model.resource_name = made.pattern
            cross join lateral jsonb_populate_record(model, %2$s) copy""";

    private static final String ACCOUNTS = COPY.formatted("account", """
            jsonb_build_object('resource_name', made.name, 'tenant', made.tenant, 'home_region', made.region,
                'state', made.state)""");

    // Stands for the probes of storage by data planes: this instrument measures nothing of storage.
    private static final String READY = """
            update replica set state = 'READY', proven = true, probed_at = now() where resource_name like 'bench-%'""";

    private static final String REPLICAS = COPY.formatted("replica", """
            jsonb_build_object('resource_name', made.name, 'region', made.region, 'container', made.container)""");

    private final Connection connection;

    private OwnDatabase(Connection connection) {
        this.connection = connection;
    }

    /**
     * The database of a running control plane.
     *
     * @throws LaunchException if it does not answer
     */
    public static OwnDatabase of(StackControlPlane control) {
        LocalDatabase database = control.database();
        try {
            return new OwnDatabase(
                    DriverManager.getConnection(database.url(), LocalDatabase.USER, database.password()));
        } catch (SQLException e) {
            throw flaw(e);
        }
    }

    /**
     * Puts in all accounts that were not registered over REST, each made after one that was; and says of all that their
     * storage is good.
     */
    void fill(ManyAccounts many) {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(READY);
            for (int from = 0; from < many.count(); from += BATCH) {
                List<Integer> batch = IntStream.range(from, Math.min(many.count(), from + BATCH))
                        .filter(i -> !many.isOverRest(i))
                        .boxed()
                        .toList();
                copy(ACCOUNTS, many, batch);
                copy(REPLICAS, many, batch);
            }
            // As autovacuum would within a minute.
            statement.execute("vacuum analyze");
            // Otherwise it writes during the measurement.
            statement.execute("checkpoint");
        } catch (SQLException e) {
            throw flaw(e);
        }
    }

    private void copy(String sql, ManyAccounts many, List<Integer> batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            array(statement, 1, batch, i -> many.name(many.model(i)));
            array(statement, 2, batch, many::name);
            array(statement, 3, batch, ManyAccounts::tenant);
            array(statement, 4, batch, ManyAccounts::region);
            array(statement, 5, batch, i -> many.isDeleted(i) ? "DELETED" : "ACTIVE");
            array(statement, 6, batch, ManyAccounts::container);
            if (statement.executeUpdate() != batch.size()) {
                throw new SQLException("not every account was put in");
            }
        }
    }

    private void array(PreparedStatement statement, int position, List<Integer> batch, IntFunction<String> text)
            throws SQLException {
        Object[] texts = batch.stream().map(text::apply).toArray();
        statement.setArray(position, connection.createArrayOf("text", texts));
    }

    /** Puts in the use of blocks of an account in a region, in rows such as the control plane writes when it merges. */
    public void heat(String region, String resource, int blocks, RandomGenerator random) {
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into heat (region, resource_name, root, told_at, merged, blocks) values (?, ?, ?, now(), true, ?)""")) {
            byte[] root = new byte[BlockHash.BYTES];
            random.nextBytes(root);
            for (int left = blocks; left > 0; left -= HEAT_ROW) {
                insert.setString(1, region);
                insert.setString(2, resource);
                insert.setBytes(3, root);
                insert.setBytes(4, heat(Math.min(left, HEAT_ROW), random));
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw flaw(e);
        }
    }

    /** For each block its name, its parent's beginning, the length of its buffer, and its uses as a power of two. */
    private static byte[] heat(int blocks, RandomGenerator random) {
        ByteBuffer packed = ByteBuffer.allocate(blocks * HEAT_BYTES);
        byte[] names = new byte[BlockHash.BYTES + Long.BYTES];
        for (int i = 0; i < blocks; i++) {
            random.nextBytes(names);
            packed.put(names).putInt(HEAT_BUFFER).putDouble(random.nextDouble(HEAT_MOST));
        }
        return packed.array();
    }

    private static LaunchException flaw(SQLException e) {
        return new LaunchException("the benchmark's database cannot be filled: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw flaw(e);
        }
    }
}
