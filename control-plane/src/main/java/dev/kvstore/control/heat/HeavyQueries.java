package dev.kvstore.control.heat;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.admin.problem.Kind;
import dev.kvstore.admin.problem.ProblemException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs queries that read very much, few at a time, and keeps their answers for a moment: who asks the same meanwhile is answered
 * with that. So admins who ask for much leave processor, memory and connections to the rest. Thread-safe.
 */
@Singleton
public final class HeavyQueries {
    /** Two connections of the twenty. */
    static final int AT_A_TIME = 2;

    /** How old an answer may be. */
    static final Duration KEPT = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_KEPT = 100;

    private final Semaphore places = new Semaphore(AT_A_TIME, true);
    private final AsyncCache<Object, Object> answers =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).expireAfterWrite(KEPT).buildAsync();

    /**
     * The answer to a question.
     *
     * @param question a record that says all of it; who asks must have been found to be allowed to
     * @throws ProblemException if too much is asked at a time
     */
    public <T> T answer(Record question, Class<T> type, Callable<T> query) {
        CompletableFuture<Object> answer = answers.get(question, (_, _) -> {
            CompletableFuture<Object> made = new CompletableFuture<>();
            var _ = Thread.ofVirtual().name("heavy-query").start(() -> run(query, made));
            return made;
        });
        try {
            return type.cast(answer.get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ProblemException problem) {
                throw ProblemException.of(problem.problem());
            }
            throw new IllegalStateException("the database does not answer", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        }
    }

    private void run(Callable<?> query, CompletableFuture<Object> answer) {
        try {
            answer.complete(inPlace(query));
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
    }

    /** As {@link #answer}, of a question whose answer must be of now. */
    public <T> T inPlace(Callable<T> query) {
        try {
            if (!places.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        }
        try {
            return query.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the database does not answer", e);
        } finally {
            places.release();
        }
    }

    private static ProblemException busy() {
        return ProblemException.of(Kind.BUSY, "others ask for heat and failovers already: try again in a few seconds");
    }
}
