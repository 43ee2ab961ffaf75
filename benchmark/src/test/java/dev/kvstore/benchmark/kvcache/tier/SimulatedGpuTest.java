package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Time that a link of some bandwidth takes. */
class SimulatedGpuTest {
    private static final double MEGABYTES_PER_SECOND_100 = 0.1;
    private static final EntryBytes OF_60_MILLIS = new EntryBytes(1, 1, 6_000_000);

    private final AtomicLong time = new AtomicLong(1_000);

    /** Runs while the first move waits. */
    private Runnable meanwhile = () -> {};

    private SimulatedGpu gpu(Duration latency) {
        LongConsumer park = nanos -> {
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            time.addAndGet(nanos);
        };
        return new SimulatedGpu(MEGABYTES_PER_SECOND_100, latency, time::get, park);
    }

    private interface Move {
        IoTime move() throws IOException;
    }

    private static long nanos(Move move) {
        try {
            return move.move().total();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long read(SimulatedGpu gpu) {
        return nanos(() -> gpu.read(OF_60_MILLIS, new Scratch(), true, _ -> {}));
    }

    private static long write(SimulatedGpu gpu) {
        return nanos(() -> gpu.write(OF_60_MILLIS, new Scratch(), _ -> {}));
    }

    private static long millis(long number) {
        return Duration.ofMillis(number).toNanos();
    }

    @Test
    void anEntryTakesTheTimeOfItsBytesAndTheLatency() {
        assertThat(read(gpu(Duration.ofMillis(20)))).isEqualTo(millis(80));
    }

    @Test
    void entriesOfOneDirectionShareTheLink() {
        SimulatedGpu gpu = gpu(Duration.ZERO);
        AtomicLong second = new AtomicLong();
        meanwhile = () -> second.set(read(gpu));

        read(gpu);

        assertThat(second).hasValue(millis(120));
    }

    @Test
    void theOtherDirectionHasALinkOfItsOwn() {
        SimulatedGpu gpu = gpu(Duration.ZERO);
        AtomicLong second = new AtomicLong();
        meanwhile = () -> second.set(write(gpu));

        read(gpu);

        assertThat(second).hasValue(millis(60));
    }

    @Test
    void aLinkThatWasIdleOwesNothing() {
        SimulatedGpu gpu = gpu(Duration.ZERO);
        read(gpu);

        time.addAndGet(millis(1_000));

        assertThat(read(gpu)).isEqualTo(millis(60));
    }
}
