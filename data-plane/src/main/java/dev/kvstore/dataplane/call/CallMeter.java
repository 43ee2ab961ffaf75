package dev.kvstore.dataplane.call;

import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of clients: open calls, their bytes on the wire, the durations of calls that ended well, and failed
 * calls. Thread-safe.
 */
public final class CallMeter extends ServerStreamTracer.Factory {
    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

    /** Decimal digits of a measured time; about 60 KiB of heap. */
    private static final int PRECISION = 2;

    private static final String STREAMING_READ =
            KVStoreServiceGrpc.getStreamingReadMethod().getFullMethodName();

    private static final ServerStreamTracer UNCOUNTED = new ServerStreamTracer() {};

    private final LongAdder bytes = new LongAdder();
    private final Recorder latencies = new Recorder(1, LONGEST_MICROS, PRECISION);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final MeterRegistry registry;
    private final Timer firstBlock;
    private final Map<String, Method> methods;
    private int open;
    private @Nullable Histogram recycled;

    /** @param registry gets a timer for each method */
    public CallMeter(MeterRegistry registry) {
        this.registry = registry;
        this.firstBlock = ServerMetrics.FIRST_BLOCK.timer(registry);
        this.methods = KVStoreServiceGrpc.getServiceDescriptor().getMethods().stream()
                .collect(Collectors.toMap(
                        MethodDescriptor::getFullMethodName,
                        method -> new Method(
                                tag(method),
                                ServerMetrics.CALL_DURATION.timer(registry, tag(method)),
                                method.getFullMethodName().equals(STREAMING_READ))));
    }

    /**
     * A method of the service.
     *
     * @param tag its name among the labels
     * @param streamsBlocks whether its answers are streams of blocks
     */
    private record Method(String tag, Timer whole, boolean streamsBlocks) {}

    private static String tag(MethodDescriptor<?, ?> method) {
        return String.valueOf(method.getBareMethodName())
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        Method method = methods.get(fullMethodName);
        return method == null ? UNCOUNTED : new MeteredCall(method);
    }

    private final class MeteredCall extends ServerStreamTracer {
        private final long since = System.nanoTime();
        private final AtomicBoolean over = new AtomicBoolean();
        private final Method method;

        MeteredCall(Method method) {
            this.method = method;
            count(1);
        }

        @Override
        public void inboundWireSize(long size) {
            bytes.add(size);
        }

        @Override
        public void outboundWireSize(long size) {
            bytes.add(size);
        }

        @Override
        public void outboundMessage(int number) {
            if (number == 0 && method.streamsBlocks()) {
                firstBlock.record(System.nanoTime() - since, TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void streamClosed(Status status) {
            if (!over.getAndSet(true)) {
                long nanos = System.nanoTime() - since;
                if (status.isOk()) {
                    method.whole().record(nanos, TimeUnit.NANOSECONDS);
                    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
                    latencies.recordValue(Math.clamp(micros, 1, LONGEST_MICROS));
                } else {
                    String code = status.getCode().name().toLowerCase(Locale.ROOT);
                    ServerMetrics.FAILED_CALLS
                            .counter(registry, method.tag(), code)
                            .increment();
                }
                count(-1);
            }
        }
    }

    private void count(int change) {
        lock.lock();
        try {
            open += change;
            if (open == 0) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Calls that are open. */
    public int open() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no call is open, but not beyond the limit; returns how many are open then. */
    public int awaitIdle(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (open > 0 && left > 0) {
                left = idle.awaitNanos(left);
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of messages in both directions so far. */
    public long bytes() {
        return bytes.sum();
    }

    /** The durations of calls that ended well since the last request, in microseconds. For one thread at a time. */
    public Histogram latencies() {
        Histogram interval = latencies.getIntervalHistogram(recycled);
        recycled = interval;
        return interval;
    }
}
