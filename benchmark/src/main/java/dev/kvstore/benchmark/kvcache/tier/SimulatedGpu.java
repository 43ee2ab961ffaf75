package dev.kvstore.benchmark.kvcache.tier;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Memory of a GPU, or other memory, that is not there: each entry takes the time that a link of some bandwidth takes
 * for it, after the entries that came before it in the same direction, and a latency. Holds no bytes. Thread-safe.
 */
public final class SimulatedGpu implements Tier {
    private final double bytesPerNano;
    private final long latencyNanos;
    private final LongSupplier nanoTime;
    private final LongConsumer park;
    private final AtomicLong readsEnd;
    private final AtomicLong writesEnd;

    /** @param gigabytesPerSecond of the link in each direction, of 10^9 bytes; above 0 */
    public SimulatedGpu(double gigabytesPerSecond, Duration latency) {
        this(gigabytesPerSecond, latency, System::nanoTime, LockSupport::parkNanos);
    }

    /** @param park waits for so many nanoseconds, or for less */
    SimulatedGpu(double gigabytesPerSecond, Duration latency, LongSupplier nanoTime, LongConsumer park) {
        this.nanoTime = nanoTime;
        this.park = park;
        this.readsEnd = new AtomicLong(nanoTime.getAsLong());
        this.writesEnd = new AtomicLong(nanoTime.getAsLong());
        this.bytesPerNano = gigabytesPerSecond;
        this.latencyNanos = latency.toNanos();
    }

    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        return move(writesEnd, blob, moved);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
        return move(readsEnd, blob, moved);
    }

    private IoTime move(AtomicLong linkEnd, EntryBytes blob, LongConsumer moved) throws IOException {
        long start = nanoTime.getAsLong();
        long takes = Math.round(blob.bytes() / bytesPerNano);
        long end = linkEnd.updateAndGet(before -> (before - start > 0 ? before : start) + takes) + latencyNanos;
        for (long left = end - start; left > 0; left = end - nanoTime.getAsLong()) {
            Scratch.requireUninterrupted();
            park.accept(left);
        }
        moved.accept(blob.bytes());
        return new IoTime(nanoTime.getAsLong() - start, 0);
    }
}
