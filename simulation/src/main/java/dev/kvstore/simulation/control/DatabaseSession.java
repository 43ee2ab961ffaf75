package dev.kvstore.simulation.control;

import dev.kvstore.simulation.world.SimulatedHost;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection, as the product uses it. Its statements run on the one real connection. */
final class DatabaseSession implements InvocationHandler {
    /**
     * Statements that do not reach the database: one transaction is open at a time, and the database ends with its
     * process.
     */
    private static final Set<String> NEEDLESS =
            Set.of("set transaction isolation level repeatable read, read only", "set local synchronous_commit = off");
    /** SQL that changes purges or their regions. */
    private static final Pattern PURGES = Pattern.compile("(update|insert into) purge");

    private static final Pattern CLOCKS = Pattern.compile("now\\(\\)|clock_timestamp\\(\\)");

    /** The traits of all statements of the product, by their SQL: each statement comes again and again. */
    private static final Map<String, SqlTraits> TRAITS = new HashMap<>();

    /** The traits of a statement that a session looks at. */
    private record SqlTraits(boolean tellsTime, boolean changesPurges) {
        static SqlTraits of(String sql) {
            return new SqlTraits(CLOCKS.matcher(sql).find(), PURGES.matcher(sql).find());
        }
    }

    private final SimulatedDatabase database;
    private final SimulatedHost host;
    private final Connection real;
    private final Connection shown;
    private boolean isAutoCommit = true;
    private boolean isInTransaction;

    /** Whether the transaction says that it only reads. The real connection then has no transaction to begin or end. */
    private boolean isReading;

    private boolean isClosed;
    private boolean isEnded;
    private long requests;
    private String began = "";
    private boolean isTimeSet;
    private boolean changesPurges;

    DatabaseSession(SimulatedDatabase database, SimulatedHost host) {
        this.database = database;
        this.host = host;
        this.real = database.real().connection();
        this.shown = (Connection)
                Proxy.newProxyInstance(DatabaseSession.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    Connection connection() {
        return shown;
    }

    SimulatedHost host() {
        return host;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Whether the database does not know this session any more. */
    boolean isEnded() {
        return isEnded;
    }

    boolean isInTransaction() {
        return isInTransaction;
    }

    /** Whether statements may have changed purges since the last call of this method. */
    boolean changedPurges() {
        boolean changed = changesPurges;
        changesPurges = false;
        return changed;
    }

    /** The number of requests that arrived. */
    long requests() {
        return requests;
    }

    /**
     * A request arrived.
     *
     * @param now the time of the request's transaction, if it begins one
     */
    void arrives(String now) {
        requests++;
        if (!isInTransaction) {
            began = now;
            isTimeSet = false;
        }
    }

    /** Loses the connection: no further request reaches the database. */
    void lose() {
        isClosed = true;
    }

    /** The database ends this session, and rolls its transaction back. */
    void end() throws SQLException {
        isEnded = true;
        if (isInTransaction) {
            isInTransaction = false;
            if (!isReading) {
                real.rollback();
            }
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        return switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(this);
            case "equals" -> arguments != null && proxy == arguments[0];
            case "toString" -> "connection of " + host;
            case "isClosed" -> isClosed;
            case "getAutoCommit" -> isAutoCommit;
            case "setAutoCommit" -> setAutoCommit(arguments != null && (boolean) arguments[0]);
            case "commit" -> end(real::commit);
            case "rollback" -> end(real::rollback);
            case "close" -> close();
            case "createStatement" -> statement(Statement.class, method, arguments);
            case "prepareStatement" -> statement(PreparedStatement.class, method, arguments);
            case "createArrayOf" -> method.invoke(real, arguments);
            default -> throw new UnsupportedOperationException(method.toString());
        };
    }

    private @Nullable Object setAutoCommit(boolean next) throws SQLException {
        if (next) {
            end(real::commit);
        }
        isAutoCommit = next;
        return null;
    }

    private @Nullable Object close() throws SQLException {
        if (!isClosed) {
            end(real::rollback);
            isClosed = true;
        }
        return null;
    }

    /** The end of a transaction. */
    @FunctionalInterface
    private interface TransactionEnd {
        void run() throws SQLException;
    }

    private @Nullable Object end(TransactionEnd end) throws SQLException {
        requireOpen();
        return isInTransaction
                ? database.ask(this, () -> {
                    isInTransaction = false;
                    if (!isReading) {
                        end.run();
                    }
                    return null;
                })
                : null;
    }

    private void requireOpen() throws SQLException {
        if (isClosed || isEnded) {
            throw new SQLException("this connection has been closed", "08003");
        }
    }

    private Object statement(Class<?> type, Method method, Object @Nullable [] arguments)
            throws SQLException, IllegalAccessException, InvocationTargetException {
        requireOpen();
        Object made = method.invoke(real, arguments);
        return Proxy.newProxyInstance(
                DatabaseSession.class.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> {
                    if (!called.getName().startsWith("execute")) {
                        return called.getName().equals("getConnection") ? shown : direct(called, made, given);
                    }
                    requireOpen();
                    return database.ask(this, () -> {
                        String sql = sql(given == null ? arguments : given);
                        if (!isInTransaction) {
                            isInTransaction = !isAutoCommit;
                            isReading = isInTransaction && sql.endsWith("read only");
                            real.setAutoCommit(isAutoCommit || isReading);
                        }
                        if (NEEDLESS.contains(sql)) {
                            return false;
                        }
                        if (asksOnlyForTime(sql)) {
                            return time();
                        }
                        hear(sql);
                        return called.invoke(made, given);
                    });
                });
    }

    private static String sql(Object @Nullable [] first) {
        return first != null && first[0] instanceof String text ? text : "";
    }

    private boolean asksOnlyForTime(String sql) {
        return !isTimeSet && sql.equals("select clock_timestamp()");
    }

    /** Sets the time and asks for it in one statement, since control planes ask each second. */
    private ResultSet time() throws SQLException {
        PreparedStatement both = real.prepareStatement("select set_config('sim.now', ?, false)::timestamptz");
        both.closeOnCompletion();
        both.setString(1, began);
        isTimeSet = true;
        return both.executeQuery();
    }

    /** Sets the time for SQL that asks for it. All statements of a transaction get the time of its begin. */
    private void hear(String sql) throws SQLException {
        SqlTraits traits = TRAITS.computeIfAbsent(sql, SqlTraits::of);
        changesPurges |= traits.changesPurges;
        if (!isTimeSet && traits.tellsTime) {
            database.real().time(began);
            isTimeSet = true;
        }
    }

    private static @Nullable Object direct(Method called, Object on, Object @Nullable [] given) throws Throwable {
        try {
            return called.invoke(on, given);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
