package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Time that a link of some bandwidth takes. */
class SimulatedGpuTest {
    private static final double MEGABYTES_PER_SECOND_100 = 0.1;

    @Test
    void anEntryTakesTheTimeOfItsBytesAndTheLatency() {
        SimulatedGpu gpu = new SimulatedGpu(MEGABYTES_PER_SECOND_100, Duration.ofMillis(20));

        assertThat(gpu.read(new Blob(1, 1, 3_000_000), new Scratch(), Tier.Check.STAMPS, _ -> {})
                        .total())
                .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }

    /** Bytes never come faster than the link is, however many ask. */
    @Test
    void entriesOfOneDirectionShareTheLink() throws InterruptedException {
        SimulatedGpu gpu = new SimulatedGpu(MEGABYTES_PER_SECOND_100, Duration.ZERO);
        long start = System.nanoTime();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            readers.add(Thread.startVirtualThread(
                    () -> gpu.read(new Blob(1, 1, 6_000_000), new Scratch(), Tier.Check.STAMPS, _ -> {})));
        }
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(Duration.ofMillis(300).toNanos());
    }
}
