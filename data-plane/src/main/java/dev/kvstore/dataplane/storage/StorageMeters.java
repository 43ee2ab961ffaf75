package dev.kvstore.dataplane.storage;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What storage is asked for: counters {@code kvstore.storage.calls} (tag operation), {@code kvstore.storage.errors}
 * (tags operation and kind) and {@code kvstore.storage.bytes} (tag direction, read or written), and the timer
 * {@code kvstore.storage.latency} (tag operation). A call is counted when it ends, a refusal or miss as any other; bytes
 * are those that arrived, here or there. Thread-safe.
 */
final class StorageMeters {
    /** What a store can be asked for. */
    enum Operation {
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
    interface Call<T extends @Nullable Object, E extends Exception> {
        T run() throws StorageException, E;
    }

    private record Meters(Counter calls, Timer latency) {}

    private final MeterRegistry registry;
    private final Map<Operation, Meters> operations = new EnumMap<>(Operation.class);
    private final Counter bytesRead;
    private final Counter bytesWritten;

    StorageMeters(MeterRegistry registry) {
        this.registry = registry;
        for (Operation operation : Operation.values()) {
            operations.put(
                    operation,
                    new Meters(
                            registry.counter("kvstore.storage.calls", "operation", operation.tag),
                            registry.timer("kvstore.storage.latency", "operation", operation.tag)));
        }
        this.bytesRead = registry.counter("kvstore.storage.bytes", "direction", "read");
        this.bytesWritten = registry.counter("kvstore.storage.bytes", "direction", "written");
    }

    <T extends @Nullable Object, E extends Exception> T measure(Operation operation, Call<T, E> call)
            throws StorageException, E {
        Timer.Sample sample = Timer.start(registry);
        try {
            return call.run();
        } catch (StorageException e) {
            String kind = e.kind().name().toLowerCase(Locale.ROOT);
            registry.counter("kvstore.storage.errors", "operation", operation.tag, "kind", kind)
                    .increment();
            throw e;
        } finally {
            Meters meters = Objects.requireNonNull(operations.get(operation));
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
