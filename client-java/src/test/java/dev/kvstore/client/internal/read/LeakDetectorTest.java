package dev.kvstore.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.Time;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeakDetectorTest {
    private final LiveCounters counters = new LiveCounters();
    private final LeakDetector detector = new LeakDetector(counters, Time.SYSTEM);
    private final AtomicInteger givenBack = new AtomicInteger();

    @Test
    void aForgottenBlockIsCountedAndItsMemoryGivenBack() {
        forget();
        await().untilAsserted(() -> {
            System.gc();
            assertThat(givenBack).hasValue(1);
            assertThat(counters.snapshot().leakedBlocks()).isEqualTo(1);
        });
    }

    @Test
    void aClosedBlockIsNoLeakAndItsMemoryIsGivenBackOnce() {
        LeakDetector.Holding holding = detector.watch(new Object(), "block", List.of(memory()));
        holding.close();
        holding.close();
        assertThat(givenBack).hasValue(1);
        assertThat(counters.snapshot().leakedBlocks()).isZero();
    }

    private void forget() {
        LeakDetector.Holding forgotten = detector.watch(new Object(), "block", List.of(memory()));
        assertThat(forgotten.closed()).isFalse();
    }

    private ReceivedMessage memory() {
        return new ReceivedMessage(givenBack::incrementAndGet);
    }
}
