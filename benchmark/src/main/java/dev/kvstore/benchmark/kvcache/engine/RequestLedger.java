package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.result.DurationSamples;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Every request that was meant to arrive in the window, by class, and what became of it. Thread-safe. */
public final class RequestLedger {
    private final Map<QosClass, OfClass> classes = new EnumMap<>(QosClass.class);

    /** The latencies of answered requests, late ones included, from when they were meant to arrive, in seconds. */
    public final DurationSamples fromIntended = new DurationSamples();

    /** The latencies of the same requests, from when they did arrive, in seconds. */
    public final DurationSamples fromArrival = new DurationSamples();

    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    private static final class OfClass {
        private final LongAdder offered = new LongAdder();
        private final LongAdder withinTarget = new LongAdder();
        private final Map<RequestOutcome, LongAdder> outcomes = new EnumMap<>(RequestOutcome.class);

        private OfClass() {
            for (RequestOutcome outcome : RequestOutcome.values()) {
                outcomes.put(outcome, new LongAdder());
            }
        }

        private LongAdder of(RequestOutcome outcome) {
            return outcomes.computeIfAbsent(outcome, _ -> new LongAdder());
        }
    }

    public RequestLedger() {
        for (QosClass qos : QosClass.values()) {
            classes.put(qos, new OfClass());
        }
    }

    private OfClass of(QosClass qos) {
        OfClass found = classes.get(qos);
        if (found == null) {
            throw new IllegalStateException(qos + " has no account");
        }
        return found;
    }

    void offered(QosClass qos) {
        of(qos).offered.increment();
    }

    void became(QosClass qos, RequestOutcome outcome) {
        of(qos).of(outcome).increment();
    }

    /** The cause of a failed request, or of the end of a worker; the first one is kept. */
    void failure(Throwable cause) {
        boolean told = cause instanceof IOException && cause.getMessage() != null;
        firstFailure.compareAndSet(null, told ? cause.getMessage() : cause.toString());
    }

    /** The message of the first failure; null if there was none. */
    public @Nullable String firstFailure() {
        return firstFailure.get();
    }

    void withinTarget(QosClass qos) {
        of(qos).withinTarget.increment();
    }

    public long offeredOf(QosClass qos) {
        return of(qos).offered.sum();
    }

    /** Completed in the window, from the intended start within the class' 95th percentile target. */
    public long withinTargetOf(QosClass qos) {
        return of(qos).withinTarget.sum();
    }

    public long count(QosClass qos, RequestOutcome outcome) {
        return of(qos).of(outcome).sum();
    }

    /** The requests with this outcome, of all classes. */
    public long count(RequestOutcome outcome) {
        long sum = 0;
        for (QosClass qos : QosClass.values()) {
            sum += count(qos, outcome);
        }
        return sum;
    }

    /** The requests that were offered, of all classes. */
    public long offered() {
        long sum = 0;
        for (QosClass qos : QosClass.values()) {
            sum += offeredOf(qos);
        }
        return sum;
    }

    /** The requests that were offered and have no outcome; 0 if each request has one. */
    public long unaccounted() {
        long sum = offered();
        for (RequestOutcome outcome : RequestOutcome.values()) {
            sum -= count(outcome);
        }
        return sum;
    }
}
