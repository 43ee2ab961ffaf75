package dev.kvstore.control.route;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeSource;
import dev.kvstore.admin.waiting.PartyPlaces;
import dev.kvstore.control.loop.Repeating;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.control.resolve.CallFailure;
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
import org.jspecify.annotations.Nullable;

/**
 * Sends routes to watching clients: when a route changes, and once in {@link #AGAIN} in any case. If a change may
 * concern a watcher's admission, it asks the database again, and ends the watch if the key is refused. Holds one entry
 * for each watcher and no messages. Thread-safe.
 */
@Singleton
public final class RouteFeed {
    /** The longest time between two routes to a watcher; clients expect one within 10 s. */
    static final Duration AGAIN = Duration.ofSeconds(8);

    /** The time within which the feed notices that a key has expired. */
    private static final Duration ROUND = Duration.ofSeconds(1);

    /** Admissions that are checked at the database at a time: half of the connections. */
    private static final int ASKING = 10;

    /** The longest wait for the database: admissions wait as long as their keys have watchers. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    private static final Logger LOG = System.getLogger(RouteFeed.class.getName());

    private final Board board;
    private final Admissions admissions;
    private final KeyOwners owners;
    private final ChangeSource source;
    private final Set<RouteWatcher> watchers = ConcurrentHashMap.newKeySet();
    private final PartyPlaces asking = new PartyPlaces(ASKING, ASKING / 2);
    private volatile @Nullable Repeating loop;

    RouteFeed(Board board, Admissions admissions, KeyOwners owners, ChangeSource source, MeterRegistry meters) {
        this.board = board;
        this.admissions = admissions;
        this.owners = owners;
        this.source = source;
        ControlPlaneMetrics.ROUTE_WATCHERS.gauge(meters, watchers, Set::size);
    }

    void start(@Observes StartupEvent started) {
        board.onChange(this::wake);
        source.onChange(this::hear);
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

    /** Makes the feed look at all watchers soon. */
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
                end(watcher, CallFailure.of(e));
            }
        }
    }

    /** Ends a watch. If that fails, other watchers are not affected. */
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
     * Asks the database again, in a thread of its own, and then looks at the watchers again. If the answer is out of
     * date already, the next round asks once more.
     */
    private void renew(Admitted admitted) {
        if (!admitted.beginAsking()) {
            return;
        }
        Thread.ofVirtual().name("route-admission").start(() -> {
            try {
                Object party = owners.party(admitted.question().credential());
                if (asking.take(party, PATIENCE)) {
                    try {
                        admissions.renew(admitted);
                    } finally {
                        asking.giveBack(party);
                    }
                }
            } catch (StatusRuntimeException e) {
                admitted.refuse(e);
            } catch (RuntimeException | Error e) {
                admitted.refuse(CallFailure.of(e));
            } finally {
                admitted.endAsking();
                if (admitted.refusal() != null || !admissions.isDue(admitted)) {
                    wake();
                }
            }
        });
    }
}
