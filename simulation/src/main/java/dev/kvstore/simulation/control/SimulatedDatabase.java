package dev.kvstore.simulation.control;

import dev.kvstore.simulation.database.HistoryDatabase;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.agroal.api.AgroalDataSource;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL of a world. Requests take time on their way to it and back. The thread of the world works on them, so
 * that nothing else happens meanwhile. One transaction is open at a time; others wait for its end, as if all
 * transactions wanted the same row. For the thread of its world.
 */
public final class SimulatedDatabase {
    private static final long SHORTEST_WAY = Duration.ofNanos(100_000).toNanos();
    private static final long WAY_SPREAD = Duration.ofMillis(1).toNanos();

    /** The time limits that the product sets on its connections. */
    private static final long LOCK_WAIT = Duration.ofSeconds(3).toNanos();

    private static final long IDLE_IN_TRANSACTION = Duration.ofSeconds(15).toNanos();
    private static final long CONNECT = Duration.ofSeconds(3).toNanos();

    private final World world;
    private final SimulatedHost server;
    private final SplittableRandom random;
    private final HistoryDatabase real = HistoryDatabase.started();
    private final List<DatabaseRequest> waiting = new ArrayList<>();
    private final List<DatabaseSession> sessions = new ArrayList<>();

    /** The times until which no request of a host reaches the database, by the host's name. */
    private final Map<String, Long> cut = new HashMap<>();

    private DatabaseWeather weather = DatabaseWeather.CALM;
    private @Nullable DatabaseSession turn;
    private Runnable purgesChanged = () -> {};

    public SimulatedDatabase(World world, List<String> rows) {
        this.world = world;
        this.server = new SimulatedHost(world, "database");
        this.random = world.random("database");
        try {
            real.begin(now(), rows);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The time by the database's own clock, which may have stepped. */
    public Instant time() {
        Instant[] now = new Instant[1];
        world.on(server, () -> now[0] = Instant.now());
        return now[0].truncatedTo(ChronoUnit.MICROS);
    }

    private String now() {
        return time().toString();
    }

    /** Sets the listener that runs after each transaction that may have changed purges. The listener must not wait. */
    public void whenPurgesChange(Runnable listener) {
        purgesChanged = listener;
    }

    HistoryDatabase real() {
        return real;
    }

    /** A pool of connections of a host. */
    AgroalDataSource pool(SimulatedHost client) {
        return (AgroalDataSource) Proxy.newProxyInstance(
                SimulatedDatabase.class.getClassLoader(),
                new Class<?>[] {AgroalDataSource.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> open(client);
                    case "flush" -> null;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "pool of " + client;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private Connection open(SimulatedHost client) {
        DatabaseSession session = new DatabaseSession(this, client);
        sessions.removeIf(DatabaseSession::isClosed);
        sessions.add(session);
        return session.connection();
    }

    /** The first column of a query, as the database has it now; empty while a transaction is open. */
    public List<String> look(String query) {
        List<String> found = new ArrayList<>();
        if (turn != null) {
            return found;
        }
        try {
            // Without auto-commit a transaction would begin here, and the next one would be part of it.
            real.connection().setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        try (Statement statement = real.connection().createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                found.add(row.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public void weather(DatabaseWeather next) {
        weather = next;
    }

    /** Makes the database's clock step. */
    public void stepClock(long nanos) {
        server.stepClock(nanos);
    }

    /** Keeps all requests of a host from the database for a time. */
    public void cut(String from, long nanos) {
        cut.merge(from, world.nanos() + nanos, Math::max);
    }

    /** The process of a host has ended; its connections end, too. */
    void gone(SimulatedHost client) {
        var _ = world.alarm(server, way(), () -> {
            for (DatabaseSession session : List.copyOf(sessions)) {
                if (session.host() == client) {
                    end(session);
                }
            }
        });
    }

    private long way() {
        return weather.slowed() * (SHORTEST_WAY + random.nextLong(WAY_SPREAD));
    }

    /** Sends a request, and waits for the answer. */
    @Nullable
    Object ask(DatabaseSession session, DatabaseRequest.DatabaseWork work) throws SQLException {
        DatabaseRequest request = new DatabaseRequest(session, work);
        if (cut.getOrDefault(session.host().name(), 0L) > world.nanos()) {
            session.lose();
            var _ = world.alarm(session.host(), CONNECT, request.failing(lost()));
        } else {
            var _ = world.alarm(server, way(), () -> arrive(request));
        }
        return request.await();
    }

    static SQLException lost() {
        return new SQLException("the connection to the database is lost", "08006");
    }

    private void arrive(DatabaseRequest request) {
        DatabaseSession session = request.session();
        if (session.isEnded()) {
            answer(request, request.failing(lost()));
        } else if (random.nextDouble() < weather.refused()) {
            end(session);
            answer(request, request.failing(lost()));
        } else if (turn != null && turn != session) {
            waiting.add(request);
            var _ = world.alarm(server, LOCK_WAIT, () -> {
                if (waiting.remove(request)) {
                    answer(request, request.failing(new SQLException("canceled: lock timeout", "55P03")));
                }
            });
        } else {
            work(request);
        }
    }

    private void work(DatabaseRequest request) {
        DatabaseSession session = request.session();
        session.arrives(now());
        Runnable outcome = request.run();
        if (random.nextDouble() < weather.unanswered()) {
            endTransaction(session);
            outcome = request.failing(lost());
        }
        answer(request, outcome);
        if (session.isInTransaction()) {
            turn = session;
            long requests = session.requests();
            var _ = world.alarm(server, IDLE_IN_TRANSACTION, () -> {
                if (session.requests() == requests) {
                    end(session);
                }
            });
        } else {
            turn = null;
            if (session.changedPurges()) {
                purgesChanged.run();
            }
            next();
        }
    }

    /** Ends a connection at the database, with the transaction that is open. */
    private void end(DatabaseSession session) {
        waiting.removeIf(request -> request.session() == session);
        endTransaction(session);
        if (turn == session) {
            next();
        }
    }

    private void endTransaction(DatabaseSession session) {
        sessions.remove(session);
        try {
            session.end();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void next() {
        turn = null;
        if (!waiting.isEmpty()) {
            DatabaseRequest first = waiting.remove(random.nextInt(waiting.size()));
            work(first);
        }
    }

    private void answer(DatabaseRequest request, Runnable outcome) {
        var _ = world.alarm(request.session().host(), way(), outcome);
    }
}
