package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.control.SharedPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Statements with named parameters and columns, in a real PostgreSQL. */
@Tag("slow")
class SqlTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00.123456Z");

    @SuppressWarnings("NullAway.Init")
    private static DataSource database;

    @BeforeAll
    static void start() throws SQLException {
        database = SharedPostgres.newDatabase().source();
        var _ = Sql.on(database, "create table counted (name text primary key, count int not null)")
                .run();
    }

    private record Inner(int operations, double share) {}

    private record Everything(
            String name,
            Inner inner,
            ChronoUnit unit,
            UUID id,
            Instant endsAt,
            @Nullable Instant neverAt,
            List<String> words,
            @SuppressWarnings("ArrayRecordComponent") // A column of bytes.
            byte[] bytes,
            long big,
            @Nullable Integer none,
            boolean isGood) {}

    @Test
    void rowsBecomeRecordsByTheNamesOfTheirColumns() throws SQLException {
        UUID id = UUID.randomUUID();
        Everything read = Sql.on(database, """
                        select 7 as operations, 0.5::float8 as share, :name as name, :unit as unit, :id as id,
                            :end as ends_at, null::timestamptz as never_at, array['a', 'b'] as words, :bytes as bytes,
                            9000000000 as big, null::int as none, true as is_good""")
                .with("name", "it's :one::text")
                .with("unit", ChronoUnit.DAYS)
                .with("id", id)
                .with("end", NOW)
                .with("bytes", new byte[] {1, 2})
                .only(Everything.class);

        assertThat(read.bytes()).containsExactly(1, 2);
        assertThat(read)
                .usingRecursiveComparison()
                .isEqualTo(new Everything(
                        "it's :one::text",
                        new Inner(7, 0.5),
                        ChronoUnit.DAYS,
                        id,
                        NOW,
                        null,
                        List.of("a", "b"),
                        new byte[] {1, 2},
                        9_000_000_000L,
                        null,
                        true));
    }

    @Test
    void aParameterMayStandSeveralTimesAndColonsElsewhereAreNone() throws SQLException {
        assertThat(Sql.on(database, "select :a::text || ':a' || '::' || :b || :a")
                        .with("a", "x")
                        .with("b", "y")
                        .only(String.class))
                .isEqualTo("x:a::yx");
    }

    @Test
    void aDurationIsItsSeconds() throws SQLException {
        assertThat(Sql.on(database, "select extract(epoch from make_interval(secs => :time))::float8")
                        .with("time", Duration.ofMillis(1_500))
                        .only(Double.class))
                .isEqualTo(1.5);
    }

    private record CountedRow(String name, @Nullable Integer count) {}

    @Test
    void aBatchRunsOnceForEachRecord() throws SQLException {
        Sql.on(database, "insert into counted (name, count) values (:name, :count)")
                .runEach(List.of(new CountedRow("batch-1", 1), new CountedRow("batch-2", 2)));

        assertThat(Sql.on(database, "select name, count from counted where name = any(:names) order by name")
                        .array("names", "text", List.of("batch-1", "batch-2", "batch-3"))
                        .list(CountedRow.class))
                .containsExactly(new CountedRow("batch-1", 1), new CountedRow("batch-2", 2));
    }

    @Test
    void aNullOfOneRecordIsNotTheValueOfTheRecordBefore() throws SQLException {
        Sql batch =
                Sql.on(database, "insert into counted (name, count) values (:name, coalesce(cast(:count as int), -1))");
        batch.runEach(List.of(new CountedRow("null-1", 5), new CountedRow("null-2", null)));

        assertThat(Sql.on(database, "select count from counted where name = 'null-2'")
                        .only(Integer.class))
                .isEqualTo(-1);
    }

    @Test
    void aMissingValueIsNamed() {
        assertThatThrownBy(() ->
                        Sql.on(database, "select :here, :there").with("here", 1).first(Integer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no value for :there");
    }

    @Test
    void noRowIsEmptyOrAnError() throws SQLException {
        Sql none = Sql.on(database, "select name from counted where name = 'none'");
        assertThat(none.first(String.class)).isEmpty();
        assertThatThrownBy(() -> none.only(String.class)).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void aNullForARecordsNumberIsAnError() {
        assertThatThrownBy(() -> Sql.on(database, "select null::int as operations, 0.5 as share")
                        .only(Inner.class))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void changedRowsAreCounted() throws SQLException {
        Sql insert = Sql.on(database, "insert into counted (name, count) values ('a', 1) on conflict do nothing");
        assertThat(insert.run()).isEqualTo(1);
        assertThat(insert.run()).isZero();
    }

    @Test
    void aFailureUndoesTheWholeTransaction() throws SQLException {
        assertThatThrownBy(() -> Transactions.run(database, connection -> {
                    var _ = Sql.on(connection, "insert into counted (name, count) values ('undone', 1)")
                            .run();
                    throw new IllegalStateException("the work failed");
                }))
                .hasMessage("the work failed");

        assertThat(Sql.on(database, "select count(*) from counted where name = 'undone'")
                        .only(Long.class))
                .isZero();
    }
}
