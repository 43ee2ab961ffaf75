package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.database.Vital;
import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Listens to PostgreSQL's NOTIFY for changes, over a connection of its own. A notification is only a hint: the waiting
 * thread reads the change log in any case. Thread-safe; one thread waits at a time.
 */
@Singleton
public class PgNotifications {
    /** The time after which a wake-up from within this process is noticed, in milliseconds. */
    private static final int SLICE_MILLIS = 50;

    private final AgroalDataSource dataSource;
    private final Semaphore woken = new Semaphore(0);
    private volatile boolean closed;
    private @Nullable Connection connection;

    PgNotifications(@DataSource(Vital.POOL) AgroalDataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Waits until a notice comes, {@link #wake} is called, or the time is over.
     *
     * @param patience the longest wait
     * @throws IllegalStateException if the database does not answer
     */
    void await(Duration patience) throws InterruptedException {
        try {
            PGConnection listening = listening();
            long end = System.nanoTime() + patience.toNanos();
            while (!closed && System.nanoTime() < end) {
                if (woken.tryAcquire()) {
                    woken.drainPermits();
                    return;
                }
                if (listening.getNotifications(SLICE_MILLIS).length > 0) {
                    return;
                }
            }
        } catch (SQLException e) {
            drop();
            throw new IllegalStateException(e);
        }
    }

    /** Waits for a time, or until {@link #wake}, without listening. */
    void pause(Duration time) {
        try {
            var _ = woken.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PGConnection listening() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = dataSource.getConnection();
            connection = current;
            try (Statement statement = current.createStatement()) {
                statement.execute("listen " + ChangeLog.CHANNEL);
            }
        }
        return current.unwrap(PGConnection.class);
    }

    private void drop() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // The connection is gone already.
            }
        }
    }

    /** Ends a wait. */
    void wake() {
        woken.release();
    }

    void close() {
        closed = true;
        wake();
    }
}
