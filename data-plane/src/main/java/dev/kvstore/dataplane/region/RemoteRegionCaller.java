package dev.kvstore.dataplane.region;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks another region's storage. A caller waits no longer than the account allows. After {@value Breaker#FAILURES} late
 * or missing answers in a row, the storage is not asked for {@link #PAUSE}. Thread-safe.
 */
final class RemoteRegionCaller {
    /** How long a storage is not asked after failures. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** Most questions under way, including those for which no caller waits any more. */
    static final int MOST_QUESTIONS = 1_024;

    /** Most storages whose failures are remembered. */
    private static final int MAX_WAYS = 10_000;

    private static final System.Logger LOG = System.getLogger(RemoteRegionCaller.class.getName());

    private final Executor executor;
    private final Ticker ticker;
    private final Semaphore questions = new Semaphore(MOST_QUESTIONS);

    /** Questions under way to each storage that has any. */
    private final Map<String, Integer> shares = new ConcurrentHashMap<>();

    private final Cache<RemotePath, Breaker> breakers =
            Caffeine.newBuilder().maximumSize(MAX_WAYS).executor(Runnable::run).build();

    /** @param executor a virtual thread per task */
    RemoteRegionCaller(Executor executor, Ticker ticker) {
        this.executor = executor;
        this.ticker = ticker;
    }

    /** A storage and a kind of question: blocks may be late where lookups are not. */
    private record RemotePath(StorageLocation storage, ThroughMeters.RemoteTally calls) {}

    /** A question. */
    @FunctionalInterface
    interface RemoteCall<T> {
        T ask() throws StorageException, MemoryExhaustedException;
    }

    private Breaker breaker(Account.ReadThrough through, ThroughMeters.RemoteTally calls) {
        return breakers.get(new RemotePath(through.storage(), calls), _ -> new Breaker(ticker, PAUSE));
    }

    /** Whether the storage is not asked such questions now. */
    boolean isPaused(Account.ReadThrough through, ThroughMeters.RemoteTally calls) {
        return !breaker(through, calls).mayPermit();
    }

    /**
     * Asks, and waits for the answer as long as the account allows.
     *
     * @param late receives an answer that came too late for its caller
     * @return null if there is no answer in time, or none at all
     */
    <T> @Nullable T ask(
            Account.ReadThrough through,
            ThroughMeters.RemoteTally tally,
            RemoteCall<? extends T> call,
            Consumer<T> late) {
        Breaker breaker = breaker(through, tally);
        String place = through.storage().place();
        if (!enter(place)) {
            tally.busy().increment();
            return null;
        }
        // The breaker is asked last: after a pause one question is the trial, and one without room would be none.
        if (!breaker.permits()) {
            leave(place);
            tally.paused().increment();
            return null;
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        executor.execute(() -> {
            answer(answer, call);
            leave(place);
        });
        try {
            T inTime = answer.get(through.within().toNanos(), TimeUnit.NANOSECONDS);
            breaker.succeeded();
            return inTime;
        } catch (TimeoutException e) {
            tally.late().increment();
            failed(through, breaker, "no answer within " + through.within().toMillis() + " ms");
        } catch (ExecutionException e) {
            tally.failed().increment();
            if (!(e.getCause() instanceof MemoryExhaustedException)) {
                failed(through, breaker, String.valueOf(e.getCause()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var _ = answer.thenAccept(late);
        return null;
    }

    /** Whether there is room for a question; a slow storage may take no more than its share. */
    private boolean enter(String place) {
        if (!questions.tryAcquire()) {
            return false;
        }
        if (shares.merge(place, 1, Integer::sum) > ReadLimits.ACCOUNT_QUESTIONS) {
            leave(place);
            return false;
        }
        return true;
    }

    private void leave(String place) {
        shares.computeIfPresent(place, (_, asked) -> asked == 1 ? null : asked - 1);
        questions.release();
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, nobody waits for it in vain
    private static <T> void answer(CompletableFuture<T> answer, RemoteCall<? extends T> call) {
        try {
            answer.complete(call.ask());
        } catch (Exception | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private static void failed(Account.ReadThrough through, Breaker breaker, String reason) {
        boolean before = breaker.pausedFor() == null;
        breaker.failed(reason);
        if (before && breaker.pausedFor() != null) {
            LOG.log(
                    Level.WARNING,
                    "reading through to region {0} ({1}) pauses for {2} s at a time: {3}",
                    through.region(),
                    through.storage().place(),
                    PAUSE.toSeconds(),
                    reason);
        }
    }
}
