package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every request that was meant to arrive in the window, by class, and what became of it. Thread-safe. */
public final class RequestLedger {
    private final Map<QosClass, LongAdder> offered = new ConcurrentHashMap<>();
    private final Map<QosClass, LongAdder> withinTarget = new ConcurrentHashMap<>();
    private final Map<ClassOutcome, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    /** The latencies of answered requests, late ones included, from when they were meant to arrive, in seconds. */
    public final DurationSamples fromIntended = new DurationSamples();

    /** The latencies of the same requests, from when they did arrive, in seconds. */
    public final DurationSamples fromArrival = new DurationSamples();

    private record ClassOutcome(QosClass qos, RequestOutcome outcome) {}

    private static <K> void count(Map<K, LongAdder> counts, K key) {
        counts.computeIfAbsent(key, _ -> new LongAdder()).increment();
    }

    private static <K> long get(Map<K, LongAdder> counts, K key) {
        LongAdder count = counts.get(key);
        return count == null ? 0 : count.sum();
    }

    private static long sum(Map<?, LongAdder> counts) {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    void offered(QosClass qos) {
        count(offered, qos);
    }

    void became(QosClass qos, RequestOutcome outcome) {
        count(outcomes, new ClassOutcome(qos, outcome));
    }

    void withinTarget(QosClass qos) {
        count(withinTarget, qos);
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
        return get(offered, qos);
    }

    /** Completed in the window, from the intended start within the class' 95th percentile target. */
    public long withinTargetOf(QosClass qos) {
        return get(withinTarget, qos);
    }

    public long count(QosClass qos, RequestOutcome outcome) {
        return get(outcomes, new ClassOutcome(qos, outcome));
    }

    /** The requests with this outcome, of all classes. */
    public long count(RequestOutcome outcome) {
        return Stream.of(QosClass.values())
                .mapToLong(qos -> count(qos, outcome))
                .sum();
    }

    /** The requests that were offered, of all classes. */
    public long offered() {
        return sum(offered);
    }

    /** The requests that were offered and have no outcome; 0 if each request has one. */
    public long unaccounted() {
        return offered() - sum(outcomes);
    }
}
