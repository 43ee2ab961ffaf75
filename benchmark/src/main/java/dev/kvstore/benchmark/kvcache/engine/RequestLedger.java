package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Every request that was meant to arrive in the window, by class, and what became of it. Thread-safe. */
public final class RequestLedger {
    private final Map<QosClass, LongAdder> offered = adders();
    private final Map<QosClass, LongAdder> withinTarget = adders();
    private final Map<RequestOutcome, Map<QosClass, LongAdder>> outcomes = new EnumMap<>(RequestOutcome.class);

    /** The latencies of answered requests, late ones included, from when they were meant to arrive, in seconds. */
    public final DurationSamples fromIntended = new DurationSamples();

    /** The latencies of the same requests, from when they did arrive, in seconds. */
    public final DurationSamples fromArrival = new DurationSamples();

    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    public RequestLedger() {
        for (RequestOutcome outcome : RequestOutcome.values()) {
            outcomes.put(outcome, adders());
        }
    }

    private static Map<QosClass, LongAdder> adders() {
        Map<QosClass, LongAdder> adders = new EnumMap<>(QosClass.class);
        for (QosClass qos : QosClass.values()) {
            adders.put(qos, new LongAdder());
        }
        return adders;
    }

    private static LongAdder of(Map<QosClass, LongAdder> adders, QosClass qos) {
        return Objects.requireNonNull(adders.get(qos));
    }

    private Map<QosClass, LongAdder> of(RequestOutcome outcome) {
        return Objects.requireNonNull(outcomes.get(outcome));
    }

    private static long sum(Map<QosClass, LongAdder> adders) {
        return adders.values().stream().mapToLong(LongAdder::sum).sum();
    }

    void offered(QosClass qos) {
        of(offered, qos).increment();
    }

    void became(QosClass qos, RequestOutcome outcome) {
        of(of(outcome), qos).increment();
    }

    void withinTarget(QosClass qos) {
        of(withinTarget, qos).increment();
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

    public long offeredOf(QosClass qos) {
        return of(offered, qos).sum();
    }

    /** Completed in the window, from the intended start within the class' 95th percentile target. */
    public long withinTargetOf(QosClass qos) {
        return of(withinTarget, qos).sum();
    }

    public long count(QosClass qos, RequestOutcome outcome) {
        return of(of(outcome), qos).sum();
    }

    /** The requests with this outcome, of all classes. */
    public long count(RequestOutcome outcome) {
        return sum(of(outcome));
    }

    /** The requests that were offered, of all classes. */
    public long offered() {
        return sum(offered);
    }

    /** The requests that were offered and have no outcome; 0 if each request has one. */
    public long unaccounted() {
        return offered()
                - outcomes.values().stream().mapToLong(RequestLedger::sum).sum();
    }
}
