package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.control.v1.Budget;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private final AtomicLong now = new AtomicLong();

    private Allowance allowance(long bytes, int requests) {
        return new Allowance(budget(bytes, requests), now::get, pause -> now.addAndGet(pause.toNanos()));
    }

    private static Budget budget(long bytes, int requests) {
        return Budget.newBuilder()
                .setBytesPerSecond(bytes)
                .setRequestsPerSecond(requests)
                .build();
    }

    @Property
    void blocksTakeAsLongAsTheirBytesButForOneSecondOfThemAndTheLast(
            @ForAll @IntRange(min = 1_000, max = 1_000_000) int rate,
            @ForAll @IntRange(min = 1, max = 5_000_000) int length)
            throws InterruptedException {
        now.set(0);
        Allowance allowance = allowance(rate, 1_000_000);
        int blocks = 20;
        for (int i = 0; i < blocks; i++) {
            allowance.block(length);
        }

        double seconds = (double) length * blocks / rate;
        assertThat(now.get() / 1e9)
                .isGreaterThanOrEqualTo(seconds - 1 - (double) length / rate - 0.001)
                .isLessThanOrEqualTo(seconds + 0.1);
    }

    @Test
    void requestsAreCountedTwoABlock() throws InterruptedException {
        Allowance allowance = allowance(1L << 40, 10);
        for (int i = 0; i < 51; i++) {
            allowance.block(1);
        }

        assertThat(Duration.ofNanos(now.get())).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(11));
    }

    @Test
    void whatWasNotUsedMayBeUsedByTheNext() throws InterruptedException {
        Allowance allowance = allowance(1_000, 10);
        for (int i = 0; i < 1_000; i++) {
            allowance.block(1_000);
            allowance.unused(1_000);
        }

        assertThat(now).hasValue(0);
    }

    @Test
    void aNewBudgetIsHeededWithinASecond() throws InterruptedException {
        Allowance allowance = allowance(1, 1_000);
        allowance.block(1_000_000);
        allowance.set(budget(1_000_000, 1_000));
        allowance.block(1);

        assertThat(Duration.ofNanos(now.get())).isLessThan(Duration.ofSeconds(3));
    }
}
