package dev.kvstore.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepeatingTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration SOON = Duration.ofMillis(1);

    private final Semaphore rounds = new Semaphore(0);

    private boolean isReached(int count) throws InterruptedException {
        return rounds.tryAcquire(count, Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void whateverARoundThrowsTheNextFollows() throws Exception {
        AtomicInteger number = new AtomicInteger();
        try (Repeating _ = Repeating.start("test", SOON, "as it should", () -> {
            rounds.release();
            switch (number.getAndIncrement()) {
                case 0 -> throw new IllegalStateException("a flaw");
                case 1 -> throw new java.sql.SQLException("the database does not answer");
                case 2 -> throw new AssertionError("as the virtual machine may throw one");
                case 3 -> throw new OutOfMemoryError("not really");
                default -> {}
            }
        })) {
            assertThat(isReached(6)).isTrue();
        }
    }

    @Test
    void whoIsWokenDoesNotWaitForItsTime() throws Exception {
        try (Repeating loop = Repeating.start("test", NEVER, "as it should", rounds::release)) {
            assertThat(isReached(1)).isTrue();

            loop.wake();

            assertThat(isReached(1)).isTrue();
        }
    }

    @Test
    void whoIsClosedEndsInItsRound() {
        Semaphore endless = new Semaphore(0);
        Repeating loop = Repeating.start("test", NEVER, "as it should", endless::acquire);

        loop.close();

        assertThat(endless.hasQueuedThreads()).isFalse();
    }
}
