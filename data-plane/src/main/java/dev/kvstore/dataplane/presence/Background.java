package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Work in the background, one run at a time. Callers that ask during a run share it. Thread-safe. */
final class Background {
    /** The work, which logs its failures itself. */
    @FunctionalInterface
    interface BackgroundWork {
        /** Does the work; false if it failed. */
        boolean run();
    }

    private record BackgroundRun(CompletableFuture<Boolean> done, long since) {}

    private final BackgroundWork work;
    private final Executor executor;
    private final Ticker ticker;
    private final AtomicReference<@Nullable BackgroundRun> current = new AtomicReference<>();

    Background(BackgroundWork work, Executor executor, Ticker ticker) {
        this.work = work;
        this.executor = executor;
        this.ticker = ticker;
    }

    /** Starts a run, unless one is under way. */
    void start() {
        run();
    }

    private BackgroundRun run() {
        BackgroundRun mine = new BackgroundRun(new CompletableFuture<>(), ticker.read());
        BackgroundRun other = current.compareAndExchange(null, mine);
        if (other != null) {
            return other;
        }
        boolean begun = false;
        try {
            executor.execute(() -> {
                boolean succeeded = false;
                try {
                    succeeded = work.run();
                } finally {
                    over(mine, succeeded);
                }
            });
            begun = true;
        } finally {
            if (!begun) {
                // The work did not begin: the next caller tries again.
                over(mine, false);
            }
        }
        return mine;
    }

    private void over(BackgroundRun run, boolean succeeded) {
        current.set(null);
        run.done.complete(succeeded);
    }

    /** Waits for the result of a run; null if the run has taken longer than {@code patience}. */
    @Nullable
    Boolean await(Duration patience) {
        BackgroundRun run = run();
        try {
            long left = run.since + patience.toNanos() - ticker.read();
            return run.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // it is only ever completed
        }
    }
}
