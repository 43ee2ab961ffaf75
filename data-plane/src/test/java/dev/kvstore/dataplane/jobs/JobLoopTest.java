package dev.kvstore.dataplane.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class JobLoopTest {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final AtomicInteger steps = new AtomicInteger();

    private void awaitSteps(int count) {
        await().atMost(Patience.LIMIT).until(() -> steps.get() == count);
    }

    @Test
    void stepsFollowAtOnceWhileThereIsMoreToDo() {
        try (JobLoop loop = new JobLoop("test", () -> steps.incrementAndGet() < 3, () -> FOR_EVER)) {
            loop.start();

            awaitSteps(3);
        }
    }

    @Test
    void aLoopThatPausesCanBeWoken() {
        try (JobLoop loop = new JobLoop("test", () -> steps.incrementAndGet() == 0, () -> FOR_EVER)) {
            loop.start();
            awaitSteps(1);

            loop.wake();

            awaitSteps(2);
        }
    }

    @Test
    void aStepThatFailsEndsNoLoop() {
        try (JobLoop loop = new JobLoop(
                "test",
                () -> {
                    if (steps.incrementAndGet() == 1) {
                        throw new IllegalStateException("of this program");
                    }
                    return false;
                },
                () -> Duration.ofMillis(1))) {
            loop.start();

            await().atMost(Patience.LIMIT).until(() -> steps.get() > 1);
        }
    }

    @Test
    void whoFinishesALoopWaitsForTheStepUnderWay() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        JobLoop loop = new JobLoop(
                "test",
                () -> {
                    begun.countDown();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                    }
                    return steps.incrementAndGet() > 0;
                },
                () -> FOR_EVER);
        loop.start();
        begun.await();
        Thread finishing = Thread.startVirtualThread(loop::finish);

        mayEnd.countDown();
        finishing.join();

        assertThat(interrupted).isFalse();
        assertThat(steps).hasValueGreaterThanOrEqualTo(1);
    }

    @Test
    void closingALoopInterruptsTheStepUnderWay() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        JobLoop loop = new JobLoop(
                "test",
                () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                    return false;
                },
                () -> FOR_EVER);
        loop.start();
        begun.await();

        loop.close();

        assertThat(interrupted).isTrue();
    }
}
