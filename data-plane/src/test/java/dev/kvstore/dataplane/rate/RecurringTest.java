package dev.kvstore.dataplane.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RecurringTest {
    @Test
    void goesOnWhateverARunThrows() {
        AtomicInteger runs = new AtomicInteger();
        try (Recurring recurring = new Recurring("test", "a test counts", () -> {
            int run = runs.incrementAndGet();
            if (run == 1) {
                throw new IllegalStateException("of this program");
            }
            if (run == 2) {
                throw new StackOverflowError("of the JVM");
            }
        })) {
            recurring.start(Duration.ZERO, Duration.ofMillis(1));

            await().atMost(Patience.LIMIT).until(() -> runs.get() > 3);
        }
        assertThat(runs.get()).isGreaterThan(3);
    }
}
