package dev.kvstore.control.warming;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.google.protobuf.ByteString;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.SharedPostgres;
import dev.kvstore.control.database.BadDatabaseException;
import dev.kvstore.control.database.Migrations;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.heat.TestHeats;
import dev.kvstore.control.warming.block.PackedChunk;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.heat.Uses;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** The warmings of two control planes on one real PostgreSQL. */
final class WarmingSystem {
    private static final String ACCOUNT = "acme";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final LeaseHolder HOLDER = new LeaseHolder(new UUID(1, 1), TO, "cluster", "process");
    private static final BlockHash ROOT = Partition.of("llama").root();

    /** Two of them are a chunk. */
    private static final int BYTES = (int) (Chunking.BYTES / 2);

    private static final String PERIOD = "interval '20 minutes'";

    /** The parts of a control plane that use the database. */
    private record WarmingReplica(Planner planner, Chunks chunks, Claims claims, Jobs jobs) {}

    private final DataSource database;
    private final TestHeats heats;
    private final Copies copies;
    private final List<WarmingReplica> replicas = new ArrayList<>();
    private volatile boolean good = true;
    private volatile Runnable meanwhile = () -> {};

    private WarmingSystem(DataSource database) {
        this.database = database;
        this.heats = new TestHeats(database);
        ObjectMapper json = new ObjectMapper().registerModule(new JavaTimeModule());
        this.copies = new Copies(database, json);
        for (int i = 0; i < 2; i++) {
            Chunks chunks = new Chunks(database);
            replicas.add(new WarmingReplica(
                    new Planner(database, heats.heats(), json),
                    chunks,
                    new Claims(database, chunks, new Listings(database), (_, _) -> storage(), json),
                    new Jobs(database)));
        }
    }

    static WarmingSystem start() throws SQLException, BadDatabaseException {
        SharedPostgres.Own own = SharedPostgres.newDatabase();
        Migrations.run(own.database());
        try (Connection connection = own.source().getConnection();
                Statement statement = connection.createStatement()) {
            // Nobody pulls the plug, and there are thousands of transactions.
            statement.execute("alter database " + connection.getCatalog() + " set synchronous_commit = off");
        }
        return new WarmingSystem(AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(8)
                        .connectionFactoryConfiguration(factory -> factory.jdbcUrl(
                                        own.database().url())
                                .principal(new NamePrincipal(own.database().user()))))));
    }

    private Optional<Storage> storage() {
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        return good ? Optional.of(Storage.getDefaultInstance()) : Optional.empty();
    }

    private WarmingReplica replica(int number) {
        return replicas.get(number % replicas.size());
    }

    void empty() throws SQLException {
        execute("truncate warming cascade", "truncate heat");
    }

    private void execute(String... commands) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String command : commands) {
                statement.execute(command);
            }
        }
    }

    static BlockName block(int number) {
        return new BlockName(ROOT, new BlockHash(number, 0, 0, number));
    }

    void create(int replica, String id, boolean standing, boolean used) throws SQLException {
        Warming.WarmingCount none = new Warming.WarmingCount(0, 0);
        var _ = replica(replica)
                .jobs()
                .insert(new Warming(
                        id,
                        ACCOUNT,
                        "tenant",
                        FROM,
                        TO,
                        used ? "{\"used\": true}" : "{\"hottestBytes\": 1000000000000}",
                        new Warming.Budget(1_000_000, 100),
                        Preheat.STORAGE,
                        WarmingState.PLANNING,
                        null,
                        null,
                        false,
                        false,
                        standing ? Duration.ofMinutes(10) : null,
                        null,
                        null,
                        null,
                        new Warming.WarmingTally(none, none, none, none),
                        Instant.EPOCH,
                        null,
                        null,
                        0));
    }

    /** @param halfLives before now, in which it was used once */
    void tell(int block, double halfLives) throws SQLException {
        heats.tell(FROM, ACCOUNT, block(block), BYTES, Uses.at(Instant.now()) - halfLives);
    }

    void obey(String id, Command command) throws SQLException {
        var _ = Transactions.run(database, connection -> Jobs.obey(connection, id, command));
    }

    void plan(int replica) throws SQLException {
        replica(replica).planner().plan();
    }

    Optional<Task> claim(int replica) throws SQLException {
        return replica(replica).claims().next(HOLDER, List.of());
    }

    /** Claims what is there while no replica of the account can be used. */
    void failingClaim(int replica, Runnable betweenClaimAndFailure) throws SQLException {
        good = false;
        meanwhile = betweenClaimAndFailure;
        try {
            var _ = claim(replica);
        } finally {
            good = true;
            meanwhile = () -> {};
        }
    }

    /** @return whether the claim goes on */
    boolean report(int replica, Task task, int from, List<Integer> outcomes) throws SQLException {
        ByteString.Output bytes = ByteString.newOutput();
        outcomes.forEach(bytes::write);
        return replica(replica)
                .chunks()
                .report(new Chunks.ChunkProgress(
                        HOLDER.lease(),
                        task.getWarming(),
                        task.getCopying().getChunk(),
                        task.getClaim(),
                        from,
                        bytes.toByteString(),
                        Map.of(),
                        0,
                        "",
                        false))
                .isPresent();
    }

    /** No claim lapses before its time, however slow this machine is. */
    void hold() throws SQLException {
        execute("update warming_chunk set claimed_until = now() + interval '10 minutes' where claimed_until > now()");
    }

    void pass() throws SQLException {
        execute(
                "update heat set told_at = told_at - " + PERIOD,
                "update warming_chunk set claimed_until = claimed_until - " + PERIOD,
                "update warming set created_at = created_at - " + PERIOD + ", planned_at = planned_at - " + PERIOD
                        + ", plan_after = plan_after - " + PERIOD + ", caught_up_at = caught_up_at - " + PERIOD);
    }

    WarmingModel.ModelView seen(String id) throws SQLException {
        Warming job = replica(0).jobs().find(id).orElseThrow();
        return new WarmingModel.ModelView(
                job.state(),
                job.state() == WarmingState.PAUSED ? job.pausedIn() : null,
                job.tally().copied().blocks(),
                job.tally().failed().blocks());
    }

    /** The chunks that a warming has now, with what became of them. */
    List<WarmingModel.ModelChunk> chunks(String id) throws SQLException {
        List<WarmingModel.ModelChunk> chunks = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "select blocks, outcomes from warming_chunk where warming = ? order by number")) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    PackedChunk packed = PackedChunk.of(row.getBytes(1));
                    List<BlockName> blocks = new ArrayList<>();
                    for (int i = 0; i < packed.size(); i++) {
                        blocks.add(packed.name(i));
                    }
                    WarmingModel.ModelChunk chunk = new WarmingModel.ModelChunk(blocks);
                    for (byte outcome : row.getBytes(2)) {
                        chunk.outcomes.add((int) outcome);
                    }
                    chunks.add(chunk);
                }
            }
        }
        return chunks;
    }

    /** Blocks of which a failover would say that they are over there. */
    Set<BlockName> known() throws SQLException {
        List<BlockHeat> hot = heats.heats().hottest(FROM, ACCOUNT);
        return copies.known(ACCOUNT, FROM, TO, Instant.EPOCH, hot);
    }
}
