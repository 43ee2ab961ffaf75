package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.metrics.StorageMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls to storage. A call is counted when it ends, a refusal or miss as any other; bytes count when they
 * arrived, here or there. Thread-safe.
 */
final class StorageMeters {
    /** The operations of a store. */
    enum StorageOperation {
        GET,
        GET_RANGE,
        GET_IF_CHANGED,
        PUT_IF_ABSENT,
        PUT_IF_MATCH,
        EXISTS,
        DELETE_IF_MATCH,
        LIST,
        COPY_FROM;

        private final String tag = name().toLowerCase(Locale.ROOT);
    }

    /** A call of an operation that may also fail for want of memory. */
    @FunctionalInterface
    interface MeasuredCall<T extends @Nullable Object, E extends Exception> {
        T run() throws StorageException, E;
    }

    private record OperationMeters(Counter calls, Timer latency) {}

    private final MeterRegistry registry;
    private final Map<StorageOperation, OperationMeters> operations = new EnumMap<>(StorageOperation.class);
    private final Counter bytesRead;
    private final Counter bytesWritten;

    StorageMeters(MeterRegistry registry) {
        this.registry = registry;
        for (StorageOperation operation : StorageOperation.values()) {
            operations.put(
                    operation,
                    new OperationMeters(
                            StorageMetrics.CALLS.counter(registry, operation.tag),
                            StorageMetrics.CALL_DURATION.timer(registry, operation.tag)));
        }
        this.bytesRead = StorageMetrics.BYTES.counter(registry, "read");
        this.bytesWritten = StorageMetrics.BYTES.counter(registry, "written");
    }

    <T extends @Nullable Object, E extends Exception> T measure(StorageOperation operation, MeasuredCall<T, E> call)
            throws StorageException, E {
        Timer.Sample sample = Timer.start(registry);
        try {
            return call.run();
        } catch (StorageException e) {
            if (!Thread.currentThread().isInterrupted()) {
                String error = e.kind().name().toLowerCase(Locale.ROOT);
                StorageMetrics.ERRORS.counter(registry, operation.tag, error).increment();
            }
            throw e;
        } finally {
            OperationMeters meters = Objects.requireNonNull(operations.get(operation));
            meters.calls().increment();
            sample.stop(meters.latency());
        }
    }

    void read(int bytes) {
        bytesRead.increment(bytes);
    }

    void written(int bytes) {
        bytesWritten.increment(bytes);
    }
}
