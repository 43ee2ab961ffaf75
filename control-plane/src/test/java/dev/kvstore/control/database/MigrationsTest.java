package dev.kvstore.control.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.SharedPostgres;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MigrationsTest {
    @SuppressWarnings("NullAway.Init")
    private static Database database;

    @BeforeAll
    static void make() throws SQLException {
        database = SharedPostgres.newDatabase().database();
    }

    private static Database database() {
        return database;
    }

    @BeforeEach
    void emptyDatabase() throws SQLException {
        execute("drop schema public cascade", "create schema public");
    }

    private static void execute(String... commands) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database().url(), "postgres", "");
                Statement statement = connection.createStatement()) {
            for (String command : commands) {
                statement.execute(command);
            }
        }
    }

    private static long count(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database().url(), "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void anEmptyDatabaseIsBroughtUpToDateAndStaysSo() throws Exception {
        Migrations.run(database());
        execute("insert into tenant values ('acme', 'ACME', 'ACTIVE', now(), now(), 0)");

        Migrations.run(database());

        assertThat(count("tenant")).isEqualTo(1);
    }

    @Test
    void everyRoomHasAHistoryOfItsOwn() throws Exception {
        Migrations.run(database());

        for (String room : new String[] {"change", "account", "cluster"}) {
            assertThat(count("history_of_" + room)).isPositive();
        }
    }

    @Test
    void replicasThatStartAtOnceDoItOnce() throws Exception {
        Thread other =
                Thread.ofVirtual().start(() -> assertThatNoException().isThrownBy(() -> Migrations.run(database())));
        Migrations.run(database());
        other.join();

        assertThat(count("history_of_account where version = '1'")).isEqualTo(1);
    }

    @Test
    void aSchemaOfANewerVersionIsUsedAsItIs() throws Exception {
        Migrations.run(database());
        applyOfTheFuture();

        Migrations.run(database());

        assertThat(count("history_of_account where version = '99'")).isEqualTo(1);
    }

    @Test
    void aSchemaThatNeedsANewerVersionIsRefusedInOneSentence() throws Exception {
        Migrations.run(database());
        applyOfTheFuture();
        execute("insert into schema_floor values ('account', 98)");

        assertThatExceptionOfType(BadDatabaseException.class)
                .isThrownBy(() -> Migrations.run(database()))
                .withMessageMatching(
                        "the schema \"account\" is of version 99 and needs a control plane that knows version 98;"
                                + " this one knows version \\d+: use a newer one");
    }

    @Test
    void aFloorThatThisVersionReachesRefusesNothing() throws Exception {
        Migrations.run(database());
        execute("insert into schema_floor values ('account', 9)");

        assertThatNoException().isThrownBy(() -> Migrations.run(database()));
    }

    private static void applyOfTheFuture() throws SQLException {
        execute("""
                insert into history_of_account (installed_rank, version, description, type, script, checksum,
                 installed_by, execution_time, success)
                values (99, '99', 'of the future', 'SQL', 'V99__of_the_future.sql', 1, 'postgres', 1, true)""");
    }

    @Test
    void aMigrationThatFailedIsReportedPlainly() throws Exception {
        execute("create table tenant (name text)");

        assertThatExceptionOfType(BadDatabaseException.class)
                .isThrownBy(() -> Migrations.run(database()))
                .withMessageContaining("the schema \"account\" could not be migrated")
                .withMessageContaining("tenant");
        assertThat(count("information_schema.tables where table_name = 'api_key'"))
                .isZero();
    }

    @Test
    void aMigrationThatWasChangedAfterwardsIsReportedPlainly() throws Exception {
        Migrations.run(database());
        execute("update history_of_account set checksum = 1 where version = '1'");

        assertThatExceptionOfType(BadDatabaseException.class)
                .isThrownBy(() -> Migrations.run(database()))
                .withMessageContaining("is not one that this version made");
    }

    @Test
    void aDatabaseThatIsNotThereIsNamed() {
        assertThatExceptionOfType(BadDatabaseException.class)
                .isThrownBy(() -> Migrations.run(new Database("jdbc:postgresql://127.0.0.1:1/kvstore", "u", "secret")))
                .withMessageContaining("jdbc:postgresql://127.0.0.1:1/kvstore")
                .withMessageNotContaining("secret");
    }

    @Test
    void aDatabaseOfTheFirstVersionIsBroughtUpToDateWithAllThatIsInIt() throws Exception {
        Migrations.run(database());
        List<String> fresh = schema();
        emptyDatabase();
        execute(resource("first-schema.sql"));

        Migrations.run(database());

        assertThat(schema()).isEqualTo(fresh);
        assertThat(count("tenant")).isEqualTo(3);
        assertThat(count("account_grant where key_id is not null")).isEqualTo(1);
        assertThat(count("change")).isEqualTo(21);
        // A storage that was found good is proven; keys that were made before begin a lineage each.
        assertThat(count("replica where proven")).isEqualTo(3);
        assertThat(count("replica where not proven")).isEqualTo(1);
        assertThat(count("api_key where lineage = id")).isEqualTo(count("api_key"));
    }

    /** Every column, index and rule. */
    private static List<String> schema() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(database().url(), "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
                            || coalesce(column_default, '') as line
                        from information_schema.columns where table_schema = 'public'
                        union all select indexdef from pg_indexes where schemaname = 'public'
                        union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
                            where connamespace = 'public'::regnamespace and contype <> 'n'
                        order by line""")) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = MigrationsTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        }
    }

    @Test
    void whatDeletedAccountsLeftBehindGoesAndFoldersBecomeUrls() throws Exception {
        Migrations.of(database(), "change").load().migrate();
        Migrations.of(database(), "account").target("4").load().migrate();
        Migrations.of(database(), "cluster").load().migrate();
        Migrations.of(database(), "warming").target("2").load().migrate();
        execute("insert into tenant values ('t', 'T', 'ACTIVE', now(), now(), 0)");
        for (String state : List.of("ACTIVE", "DELETED")) {
            execute("insert into account values ('" + state + "', 't', 'r', '" + state
                    + "', 0, 0, now(), now(), 0, '{}', null, null, '{}')");
            execute("insert into replica values ('" + state + "', 'r', 'file:///data/my folder/50%/größe#" + state
                    + "', '', '', false, true, 'n', 'READY', null, null, now(), true)");
            execute("insert into placement (resource_name, region, cluster, pinned, version, automatic) values ('"
                    + state + "', 'r', 'c', true, 0, false)");
            execute("insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,"
                    + " requests_per_second, preheat, state, listing, created_at) values ('w-" + state + "', '" + state
                    + "', 't', 'r', 's', '{}', 1, 1, 'STORAGE', 'WAITING', false, now())");
        }

        Migrations.run(database());

        assertThat(count("placement where resource_name = 'ACTIVE'")).isEqualTo(1);
        assertThat(count("placement")).isEqualTo(1);
        assertThat(count("warming where state = 'CANCELLED' and id = 'w-DELETED'"))
                .isEqualTo(1);
        assertThat(count("warming where state = 'WAITING' and id = 'w-ACTIVE'")).isEqualTo(1);
        assertThat(count("replica where endpoint = 'file:///data/my%20folder/50%25/gr%C3%B6%C3%9Fe%23ACTIVE'"))
                .isEqualTo(1);
        assertThat(count("replica where attempt = nonce")).isEqualTo(2);
    }

    @Test
    void aControlPlaneThatHangsInItsMigrationsIsNamedAndNotWaitedForForEver() throws Exception {
        try (Connection hanging = DriverManager.getConnection(
                        database().url(), database().user(), database().password());
                Statement lock = hanging.createStatement()) {
            lock.execute("select pg_advisory_lock(" + Migrations.ONE_AT_A_TIME + ")");

            assertThatExceptionOfType(BadDatabaseException.class)
                    .isThrownBy(() -> Migrations.run(database(), Duration.ofSeconds(2)))
                    .withMessageContaining("another control plane (backend ")
                    .withMessageContaining("end it, and start again");
        }

        Migrations.run(database(), Duration.ofSeconds(2));
    }

    @Test
    void anOpenReaderKeepsAMigrationWaitingAndNobodyElse() throws Exception {
        Migrations.of(database(), "change").load().migrate();
        Migrations.of(database(), "account").target("8").load().migrate();
        CompletableFuture<Void> migrating;
        try (Connection reader = DriverManager.getConnection(database().url(), "postgres", "");
                Statement reading = reader.createStatement();
                Connection replica = DriverManager.getConnection(database().url(), "postgres", "");
                Statement asking = replica.createStatement()) {
            reader.setAutoCommit(false);
            reading.execute("select from account");
            // On a thread with the class loader of this one, by which Flyway finds its drivers.
            migrating = CompletableFuture.runAsync(
                    () -> {
                        try {
                            Migrations.run(database());
                        } catch (BadDatabaseException e) {
                            throw new AssertionError(e);
                        }
                    },
                    Thread::startVirtualThread);
            // As a replica that runs does.
            asking.execute("set lock_timeout = '3s'");
            for (int i = 0; i < 2; i++) {
                awaitSomebodyWhoWaitsForATable(migrating);
                assertThat(migrating).isNotDone();
                assertThatNoException().isThrownBy(() -> asking.execute("select from account"));
            }
            reader.commit();
        }

        migrating.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(count("history_of_account where version = '9' and success")).isEqualTo(1);
    }

    private static void awaitSomebodyWhoWaitsForATable(CompletableFuture<?> migrating) {
        await().atMost(Patience.LIMIT)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> migrating.isDone() || count("pg_locks where locktype = 'relation' and not granted") > 0);
    }

    @Test
    void aTransactionThatNeverEndsIsToldWithTheWayToFindIt() throws Exception {
        Migrations.of(database(), "change").load().migrate();
        Migrations.of(database(), "account").target("8").load().migrate();
        try (Connection reader = DriverManager.getConnection(database().url(), "postgres", "");
                Statement reading = reader.createStatement()) {
            reader.setAutoCommit(false);
            reading.execute("select from account");

            assertThatExceptionOfType(BadDatabaseException.class)
                    .isThrownBy(() -> Migrations.run(database(), Duration.ofMillis(100)))
                    .withMessageContaining("a transaction that does not end keeps a table")
                    .withMessageContaining("pg_stat_activity");
        }
    }

    @Test
    void theGrantThatIsMissingIsNamed() throws Exception {
        execute("drop role if exists guest", "create role guest login password 'guest'");
        // Without the user that the URL names.
        String place = database().url().replaceFirst("\\?.*", "");

        assertThatExceptionOfType(BadDatabaseException.class)
                .isThrownBy(() -> Migrations.run(new Database(place, "guest", "guest")))
                .withMessageContaining("the user \"guest\" may not make or change tables")
                .withMessageContaining("grant usage, create on schema public to \"guest\"")
                .withMessageNotContaining("password");
    }
}
