package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BackgroundTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger runs = new AtomicInteger();
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    @Test
    void tellsHowTheWorkCameOut() {
        assertThat(new Background(() -> true, Runnable::run, clock::get).await(PATIENCE))
                .isTrue();
        assertThat(new Background(() -> false, Runnable::run, clock::get).await(PATIENCE))
                .isFalse();
    }

    @Test
    void isDoneOnceForAllWhoAskWhileItIsUnderWay() {
        Background work = new Background(this::count, waiting::add, clock::get);

        work.start();
        work.start();
        assertThat(waiting).hasSize(1);

        waiting.remove().run();
        assertThat(runs).hasValue(1);
    }

    @Test
    void isTriedAgainIfNobodyRunsIt() {
        AtomicInteger tries = new AtomicInteger();
        Background work = new Background(
                this::count,
                task -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new RejectedExecutionException("closed");
                    }
                    task.run();
                },
                clock::get);
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(work::start);

        assertThat(work.await(PATIENCE)).isTrue();
    }

    @Test
    void isDoneAgainForWhoAsksAfterwards() {
        Background work = new Background(this::count, Runnable::run, clock::get);

        work.start();
        work.start();

        assertThat(runs).hasValue(2);
    }

    @Test
    void nobodyWaitsForWhatHasTakenTooLongAlready() {
        Background work = new Background(this::count, waiting::add, clock::get);
        work.start();

        clock.addAndGet(PATIENCE.toNanos());

        assertThat(work.await(PATIENCE)).isNull();
    }

    private boolean count() {
        runs.incrementAndGet();
        return true;
    }
}
