package dev.kvstore.control.route;

import dev.kvstore.admin.change.Change;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.control.resolve.Failure;
import dev.kvstore.control.resolve.Feed;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Tells watchers their routes: when they change, and once in {@link #AGAIN} in any case. Asks the database again about those
 * whom a change may touch, and ends those that are let in no more. Holds one entry per watcher and no message. Thread-safe.
 */
@Singleton
public final class RouteFeed {
    /** Clients are promised 10 s. */
    static final Duration AGAIN = Duration.ofSeconds(8);

    /** How soon a key is noticed that ends by itself. */
    private static final Duration ROUND = Duration.ofSeconds(1);

    /** So many ask the database at once: half of its connections. */
    private static final int ASKING = 10;

    private final Board board;
    private final Admissions admissions;
    private final Feed changes;
    private final Set<RouteWatcher> watchers = ConcurrentHashMap.newKeySet();
    private final Semaphore woken = new Semaphore(0);
    private final Semaphore asking = new Semaphore(ASKING);
    private volatile boolean stopped;

    RouteFeed(Board board, Admissions admissions, Feed changes, MeterRegistry meters) {
        this.board = board;
        this.admissions = admissions;
        this.changes = changes;
        ControlPlaneMetrics.ROUTE_WATCHERS.gauge(meters, watchers, Set::size);
    }

    void start(@Observes StartupEvent started) {
        board.onChange(this::wake);
        changes.onChange(this::hear);
        Thread.ofVirtual().name("routes").start(this::run);
    }

    void stop(@Observes ShutdownEvent stopping) {
        stopped = true;
        wake();
    }

    void add(RouteWatcher watcher) {
        watchers.add(watcher);
        wake();
    }

    void remove(RouteWatcher watcher) {
        watchers.remove(watcher);
    }

    /** Has all watchers looked at soon. */
    void wake() {
        woken.release();
    }

    private void hear(List<Change> news, boolean reset) {
        admissions.hear(news, reset);
        watchers.forEach(watcher -> Admissions.outdate(watcher.admitted(), news, reset));
        wake();
    }

    private void run() {
        while (!stopped) {
            try {
                var _ = woken.tryAcquire(ROUND.toMillis(), TimeUnit.MILLISECONDS);
                woken.drainPermits();
                long now = System.nanoTime();
                watchers.forEach(watcher -> look(watcher, now));
            } catch (InterruptedException e) {
                return;
            }
        }
        StatusRuntimeException stopping = Status.UNAVAILABLE
                .withDescription("this replica is being stopped")
                .asRuntimeException();
        watchers.forEach(watcher -> watcher.end(stopping));
    }

    private void look(RouteWatcher watcher, long now) {
        if (watcher.isGone()) {
            watchers.remove(watcher);
            return;
        }
        StatusRuntimeException reason = watcher.admitted().refusal();
        if (reason != null) {
            watchers.remove(watcher);
            watcher.end(reason);
            return;
        }
        if (admissions.isDue(watcher.admitted())) {
            renew(watcher.admitted());
            return;
        }
        try {
            watcher.tell(board, now, AGAIN.toNanos());
        } catch (RuntimeException e) {
            watchers.remove(watcher);
            watcher.end(Failure.of(e));
        }
    }

    /** In a thread of its own; the watchers are looked at again when the database has answered. */
    private void renew(Admitted admitted) {
        if (!admitted.beginAsking()) {
            return;
        }
        Thread.ofVirtual().name("route-admission").start(() -> {
            try {
                asking.acquire();
                try {
                    admissions.renew(admitted);
                } finally {
                    asking.release();
                }
            } catch (StatusRuntimeException e) {
                admitted.refuse(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                admitted.endAsking();
                wake();
            }
        });
    }
}
