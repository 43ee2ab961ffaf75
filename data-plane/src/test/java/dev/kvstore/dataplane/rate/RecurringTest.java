package dev.kvstore.dataplane.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.Patience;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RecurringTest {
    @Test
    void goesOnWhateverARunThrows() {
        AtomicInteger runs = new AtomicInteger();
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            var _ = timer.scheduleWithFixedDelay(
                    new Recurring("a test counts", () -> {
                        int run = runs.incrementAndGet();
                        if (run == 1) {
                            throw new IllegalStateException("of this program");
                        }
                        if (run == 2) {
                            throw new StackOverflowError("of the JVM");
                        }
                    }),
                    0,
                    1,
                    TimeUnit.MILLISECONDS);

            await().atMost(Patience.LIMIT).until(() -> runs.get() > 3);
            timer.shutdownNow();
        }
        assertThat(runs.get()).isGreaterThan(3);
    }
}
