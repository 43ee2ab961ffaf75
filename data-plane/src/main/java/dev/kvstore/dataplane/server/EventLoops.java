package dev.kvstore.dataplane.server;

import com.github.benmanes.caffeine.cache.Ticker;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tells whether the network threads respond: each is asked, and asked again once it has answered. Thread-safe. */
public final class EventLoops {
    private static final class WatchedLoop {
        private final EventExecutor executor;
        private volatile boolean asked;
        private volatile long since;

        WatchedLoop(EventExecutor executor) {
            this.executor = executor;
        }
    }

    private final List<WatchedLoop> loops = new ArrayList<>();
    private final Ticker ticker;

    EventLoops(Iterable<EventExecutor> executors, Ticker ticker) {
        executors.forEach(executor -> loops.add(new WatchedLoop(executor)));
        this.ticker = ticker;
    }

    /** Asks the event loops that have answered. For one thread at a time. */
    public void ask() {
        for (WatchedLoop loop : loops) {
            if (!loop.asked && !loop.executor.isShuttingDown()) {
                loop.since = ticker.read();
                loop.asked = true;
                loop.executor.execute(() -> loop.asked = false);
            }
        }
    }

    public int count() {
        return loops.size();
    }

    /** The time for which the slowest event loop has owed an answer. */
    public Duration silence() {
        long now = ticker.read();
        return Duration.ofNanos(loops.stream()
                .filter(loop -> loop.asked)
                .mapToLong(loop -> now - loop.since)
                .max()
                .orElse(0));
    }
}
