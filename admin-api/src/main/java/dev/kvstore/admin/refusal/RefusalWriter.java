package dev.kvstore.admin.refusal;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes refusals to the database, one batch after the other; while the database is away, they wait. */
@Singleton
public class RefusalWriter {
    private static final Logger LOG = System.getLogger(RefusalWriter.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** The time in which refusals are gathered, so that many refusals need few transactions. */
    private static final Duration GATHERING = Duration.ofMillis(500);

    private static final String DATA_EXCEPTIONS = "22";
    private static final String CONSTRAINT_VIOLATIONS = "23";

    private final Refusals refusals;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("refusals").unstarted(this::run);

    RefusalWriter(Refusals refusals) {
        this.refusals = refusals;
    }

    void start(@Observes StartupEvent started) {
        thread.start();
    }

    void stop(@Observes ShutdownEvent stopped) {
        stopping.countDown();
        thread.interrupt();
    }

    private void run() {
        try {
            while (!stopping.await(GATHERING.toMillis(), TimeUnit.MILLISECONDS)) {
                write(refusals.next());
            }
        } catch (InterruptedException e) {
            // The service is being stopped.
        }
    }

    /**
     * Repeats until all rows are written, except rows that the database never takes: the writer finds such rows by
     * halving the batch, so that they keep no others back.
     */
    private void write(List<Refusals.WaitingRefusal> batch) throws InterruptedException {
        Deque<List<Refusals.WaitingRefusal>> left = new ArrayDeque<>(List.of(batch));
        while (!left.isEmpty()) {
            List<Refusals.WaitingRefusal> first = left.getFirst();
            switch (written(first)) {
                case WRITTEN -> left.removeFirst();
                case AWAY -> {
                    if (stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
                case REFUSED -> {
                    left.removeFirst();
                    if (first.size() == 1) {
                        refusals.lose(1);
                    } else {
                        left.addFirst(first.subList(first.size() / 2, first.size()));
                        left.addFirst(first.subList(0, first.size() / 2));
                    }
                }
            }
        }
    }

    private enum RefusalWriteOutcome {
        WRITTEN,
        /** The database may take the batch later. */
        AWAY,
        /** The database never takes some row of the batch. */
        REFUSED
    }

    private RefusalWriteOutcome written(List<Refusals.WaitingRefusal> batch) {
        try {
            refusals.write(batch);
            return RefusalWriteOutcome.WRITTEN;
        } catch (RuntimeException e) {
            boolean refused = isRefused(e);
            LOG.log(
                    Level.WARNING,
                    refused
                            ? "a refusal is not kept: the database does not take it: {0}"
                            : "refusals are kept later: the database does not take them: {0}",
                    e.getMessage());
            return refused ? RefusalWriteOutcome.REFUSED : RefusalWriteOutcome.AWAY;
        }
    }

    /** Whether the database does not take the data. */
    private static boolean isRefused(Throwable failure) {
        int most = 20;
        for (Throwable e = failure; e != null && most > 0; e = e.getCause(), most--) {
            if (e instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState().startsWith(DATA_EXCEPTIONS)
                        || sql.getSQLState().startsWith(CONSTRAINT_VIOLATIONS);
            }
        }
        return false;
    }
}
