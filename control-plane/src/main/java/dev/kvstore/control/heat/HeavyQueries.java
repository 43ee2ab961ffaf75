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
 * Runs queries that read very much, few at a time, and keeps their answers for a moment: a caller that asks the same
 * meanwhile is answered with that. After a query its place rests for as long as the query took. So admins that ask for
 * much leave processor, memory and connections to the rest; the parties of {@link Caller#party} take turns. Thread-safe.
 */
@Singleton
public final class HeavyQueries {
    /** Two connections of the twenty; each takes a processor, of which at least one is left to the rest. */
    static final int AT_A_TIME = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2);

    /** How old an answer may be. */
    static final Duration KEPT = Duration.ofSeconds(1);

    /** The longest rest after a query. */
    static final Duration REST = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_KEPT = 100;

    /** The place that the running work has. */
    private static final ScopedValue<HeldPlace> HELD = ScopedValue.newInstance();

    /** A place that was taken before its queries begin. For one thread. */
    private static final class HeldPlace {
        private long nanos;
    }

    /** A question, which waits in the line of its party. */
    private record PartyQuestion(String party, Record question) {}

    /** The outcome of a query: one of the two. */
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

    /** Waits. */
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

    /** A failure goes to the callers that wait now, and to no later one. */
    private void run(PartyQuestion question, Callable<?> query, CompletableFuture<QueryOutcome> answer) {
        try {
            answer.complete(new QueryOutcome(inPlace(question.party, query), null));
        } catch (Throwable e) {
            var _ = answers.asMap().remove(question, answer);
            answer.complete(new QueryOutcome(null, e));
        }
    }

    /**
     * Runs work in a place that it waits for first: its {@link #inPlace} queries do not wait again.
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

    /** As {@link #answer}, of a question whose answer must be of now. */
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

    /** Computes for long: on virtual threads, which take turns only when they wait, all other requests would wait. */
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
