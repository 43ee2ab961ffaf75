package dev.kvstore.client.internal.read;

import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.Time;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds blocks that were forgotten, reports them and gives their memory back. Thread-safe. */
public final class LeakDetector {
    private static final Logger LOG = LoggerFactory.getLogger(LeakDetector.class);

    /** The time between two log lines: an application that forgets one block forgets thousands. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private final Cleaner cleaner = Cleaner.create();
    private final LiveCounters counters;
    private final Time time;
    private final AtomicLong nextReport;

    public LeakDetector(LiveCounters counters, Time time) {
        this.counters = counters;
        this.time = time;
        this.nextReport = new AtomicLong(time.nanos());
    }

    /** Watches {@code owner}, which holds {@code memory} until it closes the returned object. */
    Holding watch(Object owner, String name, List<ReceivedMessage> memory) {
        TrackedMemory held = new TrackedMemory(this, name, memory);
        return new Holding(held, cleaner.register(owner, held));
    }

    private void leaked(String name) {
        counters.leakedBlocks.increment();
        long due = nextReport.get();
        if (time.nanos() - due >= 0 && nextReport.compareAndSet(due, time.nanos() + QUIET.toNanos())) {
            LOG.warn(
                    "block {} was never closed; close every Block, best with try-with-resources ({} forgotten so far)",
                    name,
                    counters.leakedBlocks.sum());
        }
    }

    /** The memory that an owner holds. Closing is idempotent. */
    static final class Holding implements AutoCloseable {
        private final TrackedMemory memory;
        private final Cleaner.Cleanable cleanable;

        private Holding(TrackedMemory memory, Cleaner.Cleanable cleanable) {
            this.memory = memory;
            this.cleanable = cleanable;
        }

        boolean closed() {
            return memory.closed;
        }

        @Override
        public void close() {
            memory.closed = true;
            cleanable.clean();
        }
    }

    /** The memory of an owner. This object must not refer to the owner, or the owner never becomes unreachable. */
    private static final class TrackedMemory implements Runnable {
        private final LeakDetector detector;
        private final String name;
        private final List<ReceivedMessage> arrivals;
        private volatile boolean closed;

        private TrackedMemory(LeakDetector detector, String name, List<ReceivedMessage> arrivals) {
            this.detector = detector;
            this.name = name;
            this.arrivals = arrivals;
        }

        @Override
        public void run() {
            if (!closed) {
                detector.leaked(name);
            }
            arrivals.forEach(ReceivedMessage::release);
        }
    }
}
