package dev.kvstore.control.route;

import dev.kvstore.admin.change.Change;
import dev.kvstore.control.loop.Repeating;
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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

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

    private static final Logger LOG = System.getLogger(RouteFeed.class.getName());

    private final Board board;
    private final Admissions admissions;
    private final Feed changes;
    private final Set<RouteWatcher> watchers = ConcurrentHashMap.newKeySet();
    private final Semaphore asking = new Semaphore(ASKING);
    private volatile @Nullable Repeating loop;

    RouteFeed(Board board, Admissions admissions, Feed changes, MeterRegistry meters) {
        this.board = board;
        this.admissions = admissions;
        this.changes = changes;
        ControlPlaneMetrics.ROUTE_WATCHERS.gauge(meters, watchers, Set::size);
    }

    void start(@Observes StartupEvent started) {
        board.onChange(this::wake);
        changes.onChange(this::hear);
        loop = Repeating.start("routes", ROUND, "watchers of routes are told later", this::round);
    }

    void stop(@Observes ShutdownEvent stopped) {
        Repeating current = loop;
        if (current != null) {
            current.close();
        }
        StatusRuntimeException stopping = Status.UNAVAILABLE
                .withDescription("this replica is being stopped")
                .asRuntimeException();
        watchers.forEach(watcher -> end(watcher, stopping));
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
        Repeating current = loop;
        if (current != null) {
            current.wake();
        }
    }

    private void hear(List<Change> news, long last, boolean reset) {
        admissions.hear(news, last, reset);
        watchers.forEach(watcher -> Admissions.outdate(watcher.admitted(), news, reset));
        wake();
    }

    private void round() {
        long now = System.nanoTime();
        for (RouteWatcher watcher : watchers) {
            try {
                look(watcher, now);
            } catch (RuntimeException | Error e) {
                end(watcher, Failure.of(e));
            }
        }
    }

    /** A watcher that cannot be told anything any more keeps no other from being told. */
    private void end(RouteWatcher watcher, StatusRuntimeException reason) {
        watchers.remove(watcher);
        try {
            watcher.end(reason);
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "a watcher of a route was gone already", e);
        }
    }

    private void look(RouteWatcher watcher, long now) {
        if (watcher.isGone()) {
            watchers.remove(watcher);
            return;
        }
        StatusRuntimeException reason = watcher.admitted().refusal();
        if (reason != null) {
            end(watcher, reason);
            return;
        }
        if (admissions.isDue(watcher.admitted())) {
            renew(watcher.admitted());
            return;
        }
        watcher.tell(board, now, AGAIN.toNanos());
    }

    /**
     * In a thread of its own. The watchers are looked at again when the database has answered; what it answers may be out of date
     * already, and is then asked for again in the next round, not at once.
     */
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
            } catch (RuntimeException | Error e) {
                admitted.refuse(Failure.of(e));
            } finally {
                admitted.endAsking();
                if (admitted.refusal() != null || !admissions.isDue(admitted)) {
                    wake();
                }
            }
        });
    }
}
