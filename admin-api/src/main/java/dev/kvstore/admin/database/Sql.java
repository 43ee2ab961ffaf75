package dev.kvstore.admin.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters have names, as {@code :name}, and whose columns are read by their names. It runs once.
 * Texts must be constants, or made of constants, since each text is kept once it is parsed. Not thread-safe.
 *
 * <p>An {@link Instant} becomes a time with zone, a {@link Duration} its seconds as a double, and an enum its name.
 *
 * <p>The methods that run the statement throw {@link SQLException} if the database refuses it or does not answer, and
 * {@link IllegalArgumentException} if a parameter has no value.
 */
public final class Sql {
    /** A parameter; or a text of SQL or a cast, whose colons are none of a parameter. */
    private static final Pattern PARAMETER = Pattern.compile("'[^']*'|::|:([a-zA-Z]\\w*)");

    private static final Map<String, ParsedSql> PARSED = new ConcurrentHashMap<>();

    /** A statement as JDBC takes it, and the names of its parameters in their order. */
    private record ParsedSql(String text, List<String> names) {
        static ParsedSql of(String named) {
            List<String> names = new ArrayList<>();
            String text = PARAMETER.matcher(named).replaceAll(found -> {
                String name = found.group(1);
                if (name == null) {
                    return Matcher.quoteReplacement(found.group());
                }
                names.add(name);
                return "?";
            });
            return new ParsedSql(text, List.copyOf(names));
        }
    }

    private record SqlArray(String type, Collection<?> elements) {}

    /** Reads a row; the value may be null. */
    @FunctionalInterface
    public interface RowReader<T> {
        @Nullable
        T read(ResultSet row) throws SQLException;
    }

    /** Reads rows, from before the first one on. */
    @FunctionalInterface
    public interface RowsReader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Takes a row. */
    @FunctionalInterface
    public interface RowConsumer {
        void accept(ResultSet row) throws SQLException;
    }

    /** Work on a statement that is prepared. */
    @FunctionalInterface
    private interface StatementWork<T> {
        T run(PreparedStatement statement) throws SQLException;
    }

    private final @Nullable DataSource database;
    private final @Nullable Connection connection;
    private final ParsedSql sql;
    private final Map<String, @Nullable Object> values = new HashMap<>();
    private int fetchSize;

    private Sql(@Nullable DataSource database, @Nullable Connection connection, String text) {
        this.database = database;
        this.connection = connection;
        this.sql = PARSED.computeIfAbsent(text, ParsedSql::of);
    }

    /** A statement on a connection of its own, which is closed after the statement. */
    public static Sql on(DataSource database, String text) {
        return new Sql(database, null, text);
    }

    /** A statement on a connection that stays open. */
    public static Sql on(Connection connection, String text) {
        return new Sql(null, connection, text);
    }

    /** Gives a parameter its value. */
    public Sql with(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /** Gives each component of a record to the parameter of its name; components without a parameter are left out. */
    public Sql with(Record record) {
        values.putAll(RecordReader.values(record));
        return this;
    }

    /**
     * Gives a parameter an array.
     *
     * @param type of the elements in PostgreSQL
     */
    public Sql array(String name, String type, Collection<?> elements) {
        return with(name, new SqlArray(type, elements));
    }

    /** Has the driver fetch this many rows at a time; works only in a transaction. */
    public Sql fetching(int rows) {
        fetchSize = rows;
        return this;
    }

    /** Runs the statement; returns the number of changed rows. */
    public int run() throws SQLException {
        return withStatement(statement -> {
            set(statement);
            return statement.execute() ? 0 : statement.getUpdateCount();
        });
    }

    /** Runs the statement once for each record, as one batch. */
    public void runEach(Collection<? extends Record> batch) throws SQLException {
        var _ = withStatement(statement -> {
            for (Record record : batch) {
                with(record).set(statement);
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    /** All rows, each as a record of its columns, or as a value if the type is of one column. */
    public <T> List<T> list(Class<T> type) throws SQLException {
        return list(row -> RecordReader.read(row, type));
    }

    /** All rows. */
    public <T> List<T> list(RowReader<? extends T> reader) throws SQLException {
        List<T> all = new ArrayList<>();
        each(row -> all.add(reader.read(row)));
        return all;
    }

    /** The first row, like {@link #list(Class)}; empty if there is none, or if its value is null. */
    public <T> Optional<T> first(Class<T> type) throws SQLException {
        return first(row -> RecordReader.read(row, type));
    }

    /** The first row; empty if there is none, or if its value is null. */
    public <T> Optional<T> first(RowReader<? extends T> reader) throws SQLException {
        return rows(row -> row.next() ? Optional.ofNullable(reader.read(row)) : Optional.empty());
    }

    /** The first row of a statement that always has one, like {@link #list(Class)}. */
    public <T> T only(Class<T> type) throws SQLException {
        return first(type).orElseThrow();
    }

    /** Passes all rows on. */
    public void each(RowConsumer consumer) throws SQLException {
        var _ = rows(row -> {
            while (row.next()) {
                consumer.accept(row);
            }
            return true;
        });
    }

    /** Reads the rows by a reader that itself goes from row to row. */
    public <T> T rows(RowsReader<T> reader) throws SQLException {
        return withStatement(statement -> {
            set(statement);
            try (ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        });
    }

    /** The row as a record, like {@link #list(Class)}. */
    public static <T extends Record> T record(ResultSet row, Class<T> type) throws SQLException {
        return Objects.requireNonNull(type.cast(RecordReader.read(row, type)));
    }

    /** The time in a column; null if the column is null. */
    public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        return RecordReader.instant(row, row.findColumn(column));
    }

    /** The time in a column that is never null. */
    public static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(instant(row, column), column);
    }

    private <T> T withStatement(StatementWork<T> work) throws SQLException {
        if (connection != null) {
            return withStatement(connection, work);
        }
        try (Connection own = Objects.requireNonNull(database).getConnection()) {
            return withStatement(own, work);
        }
    }

    private <T> T withStatement(Connection on, StatementWork<T> work) throws SQLException {
        try (PreparedStatement statement = on.prepareStatement(sql.text())) {
            statement.setFetchSize(fetchSize);
            return work.run(statement);
        }
    }

    private void set(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < sql.names().size(); i++) {
            String name = sql.names().get(i);
            Object value = values.get(name);
            if (value == null && !values.containsKey(name)) {
                throw new IllegalArgumentException("no value for :" + name + " of " + sql.text());
            }
            statement.setObject(i + 1, inSql(statement, value));
        }
    }

    private static @Nullable Object inSql(PreparedStatement statement, @Nullable Object value) throws SQLException {
        return switch (value) {
            case null -> null;
            case Instant time -> time.atOffset(ZoneOffset.UTC);
            case Duration time -> time.toNanos() / 1e9;
            case Enum<?> word -> word.name();
            case SqlArray(String type, Collection<?> elements) ->
                statement.getConnection().createArrayOf(type, elements.toArray());
            default -> value;
        };
    }
}
