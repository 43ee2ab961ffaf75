package dev.kvstore.dataplane.region;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
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
 * Asks another region for what is nice to have: whoever asks waits as long as the account allows, and not at all for
 * {@link #PAUSE} once {@value Breaker#FAILURES} answers in a row were late or none. Thread-safe.
 */
final class Reach {
    /** How long a storage is left alone. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** Questions under way at a time, those among them that nobody waits for any more. */
    static final int MOST_QUESTIONS = 1_024;

    /** Ways of which is known how they do. */
    private static final int MAX_WAYS = 10_000;

    private static final System.Logger LOG = System.getLogger(Reach.class.getName());

    private final Executor executor;
    private final InstantSource clock;
    private final Semaphore questions = new Semaphore(MOST_QUESTIONS);

    /** Those of each storage, while there are any. */
    private final Map<String, Integer> shares = new ConcurrentHashMap<>();

    private final Cache<Way, Breaker> breakers =
            Caffeine.newBuilder().maximumSize(MAX_WAYS).executor(Runnable::run).build();

    /** @param executor a virtual thread per task */
    Reach(Executor executor, InstantSource clock) {
        this.executor = executor;
        this.clock = clock;
    }

    /** Blocks may come too late through a connection that answers lookups well. */
    private record Way(StorageLocation storage, ThroughMeters.Tally calls) {}

    /** A question. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws StorageException, MemoryExhaustedException;
    }

    private Breaker breaker(Account.ReadThrough there, ThroughMeters.Tally calls) {
        return breakers.get(new Way(there.storage(), calls), _ -> new Breaker(clock, PAUSE));
    }

    /** Whether it is left alone now by such calls. */
    boolean isPaused(Account.ReadThrough there, ThroughMeters.Tally calls) {
        return !breaker(there, calls).mayPermit();
    }

    /**
     * Asks, and waits for the answer while there is time.
     *
     * @param late is given an answer that nobody waits for any more
     * @return null if there is none yet, or will be none
     */
    <T> @Nullable T ask(
            Account.ReadThrough there, ThroughMeters.Tally tally, Question<? extends T> question, Consumer<T> late) {
        Breaker breaker = breaker(there, tally);
        String place = there.storage().place();
        if (!breaker.permits() || !enter(place)) {
            tally.paused().increment();
            return null;
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        executor.execute(() -> {
            answer(answer, question);
            leave(place);
        });
        try {
            T inTime = answer.get(there.within().toNanos(), TimeUnit.NANOSECONDS);
            breaker.succeeded();
            return inTime;
        } catch (TimeoutException e) {
            tally.late().increment();
            failed(there, breaker, "no answer within " + there.within().toMillis() + " ms");
        } catch (ExecutionException e) {
            tally.failed().increment();
            if (!(e.getCause() instanceof MemoryExhaustedException)) {
                failed(there, breaker, String.valueOf(e.getCause()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var _ = answer.thenAccept(late);
        return null;
    }

    /** Whether there is room for a question: a storage that is slow takes no more than its share. */
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
    private static <T> void answer(CompletableFuture<T> answer, Question<? extends T> question) {
        try {
            answer.complete(question.ask());
        } catch (Exception | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private static void failed(Account.ReadThrough there, Breaker breaker, String reason) {
        boolean before = breaker.pausedFor() == null;
        breaker.failed(reason);
        if (before && breaker.pausedFor() != null) {
            LOG.log(
                    Level.WARNING,
                    "reading through to region {0} ({1}) pauses for {2} s at a time: {3}",
                    there.region(),
                    there.storage().place(),
                    PAUSE.toSeconds(),
                    reason);
        }
    }
}
