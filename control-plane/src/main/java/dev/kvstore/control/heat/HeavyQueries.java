package dev.kvstore.control.heat;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.admin.waiting.PartyPlaces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs queries that read very much, few at a time, and keeps each answer for {@link #KEPT}: a caller that asks the same
 * question meanwhile gets that answer. After a query its place rests for as long as the query took, so that such
 * queries leave processor, memory and connections to other work. The parties of {@link Caller#party} take turns.
 * Thread-safe.
 */
@Singleton
public final class HeavyQueries {
    /**
     * The most queries at a time, each with one of the twenty connections and a processor; at least one processor is
     * left to other work.
     */
    static final int AT_A_TIME = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2);

    /** The greatest age of an answer. */
    static final Duration KEPT = Duration.ofSeconds(1);

    /** The longest rest after a query. */
    static final Duration REST = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_KEPT = 100;

    /** The place that the running work has. */
    private static final ScopedValue<HeldPlace> HELD = ScopedValue.newInstance();

    /** A place that is taken before its queries begin. One thread uses it. */
    private static final class HeldPlace {
        private long nanos;
    }

    /** A question that waits in the line of its party. */
    private record PartyQuestion(String party, Record question) {}

    /** The outcome of a query: an answer or a failure. */
    private record QueryOutcome(
            @Nullable Object answer, @Nullable Throwable failure) {
        Object value() {
            if (failure instanceof ProblemException problem) {
                throw ProblemException.of(problem.problem());
            }
            if (failure != null || answer == null) {
                throw new IllegalStateException("the database does not answer", failure);
            }
            return answer;
        }
    }

    /** A way to wait. */
    @FunctionalInterface
    interface Sleep {
        void nanos(long nanos) throws InterruptedException;
    }

    private final LongSupplier nanoTime;
    private final Sleep sleep;
    private final PartyPlaces places = new PartyPlaces(AT_A_TIME, 1);
    private final AsyncCache<PartyQuestion, QueryOutcome> answers =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).expireAfterWrite(KEPT).buildAsync();

    public HeavyQueries() {
        this(System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    HeavyQueries(LongSupplier nanoTime, Sleep sleep) {
        this.nanoTime = nanoTime;
        this.sleep = sleep;
    }

    /**
     * The answer to a question.
     *
     * @param party that asks
     * @param question a record that has the whole question; the caller's right to ask must have been checked
     * @throws ProblemException if too much is asked at a time
     */
    public <T> T answer(String party, Record question, Class<T> type, Callable<T> query) {
        CompletableFuture<QueryOutcome> answer = answers.get(new PartyQuestion(party, question), (asked, _) -> {
            CompletableFuture<QueryOutcome> made = new CompletableFuture<>();
            var _ = Thread.ofVirtual().name("heavy-query").start(() -> run(asked, query, made));
            return made;
        });
        try {
            return type.cast(answer.get().value());
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome never fails", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        }
    }

    /** Runs the query and completes its answer. A failure goes to the callers that wait now, and to no later one. */
    private void run(PartyQuestion question, Callable<?> query, CompletableFuture<QueryOutcome> answer) {
        try {
            answer.complete(new QueryOutcome(inPlace(question.party, query), null));
        } catch (Throwable e) {
            var _ = answers.asMap().remove(question, answer);
            answer.complete(new QueryOutcome(null, e));
        }
    }

    /**
     * Waits for a place and runs work in it. The {@link #inPlace} queries of the work do not wait again.
     *
     * @throws ProblemException if too much is asked at a time
     */
    <T extends @Nullable Object> T holding(String party, Callable<T> work) throws Exception {
        take(party);
        HeldPlace place = new HeldPlace();
        try {
            return ScopedValue.where(HELD, place).call(work::call);
        } finally {
            var _ = Thread.ofVirtual().name("heavy-rest").start(() -> rest(party, place.nanos));
        }
    }

    /** Runs a query in a place and keeps no answer. Like {@link #answer} otherwise. */
    public <T> T inPlace(String party, Callable<T> query) {
        FutureTask<T> answer = new FutureTask<>(query);
        if (HELD.isBound()) {
            long begun = nanoTime.getAsLong();
            compute(answer);
            try {
                return result(answer);
            } finally {
                HELD.get().nanos += nanoTime.getAsLong() - begun;
            }
        }
        take(party);
        compute(() -> {
            long begun = nanoTime.getAsLong();
            try {
                answer.run();
            } finally {
                rest(party, nanoTime.getAsLong() - begun);
            }
        });
        return result(answer);
    }

    private void take(String party) {
        if (!places.take(party, PATIENCE)) {
            throw busy();
        }
    }

    /**
     * Runs a query on a platform thread: on a virtual thread, a long computation would keep all other requests waiting.
     */
    private static void compute(Runnable query) {
        var _ = Thread.ofPlatform().daemon().name("heavy-query").start(query);
    }

    /** Gives a place back after its rest. */
    private void rest(String party, long queried) {
        try {
            sleep.nanos(Math.min(queried, REST.toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.giveBack(party);
        }
    }

    /** Places that are free now. */
    int free() {
        return places.free();
    }

    /** Callers that wait for a place now; an estimate. */
    int waiting() {
        return places.waiting();
    }

    private static <T> T result(Future<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ProblemException problem) {
                throw ProblemException.of(problem.problem());
            }
            throw new IllegalStateException("the database does not answer", e.getCause());
        }
    }

    private static ProblemException busy() {
        return ProblemException.of(
                ProblemKind.BUSY, "too many ask for heat and failovers now: try again in a few seconds");
    }
}
