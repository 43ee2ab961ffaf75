package dev.kvstore.dataplane.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BreakerTest {
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private final AtomicLong now = new AtomicLong();
    private final Breaker breaker = new Breaker(now::get, PAUSE);

    @Test
    void aFewFailuresAreNoReasonToStop() {
        fail(Breaker.FAILURES - 1);

        assertThat(breaker.permits()).isTrue();
        assertThat(breaker.pausedFor()).isNull();
    }

    @Test
    void failuresInARowAre() {
        fail(Breaker.FAILURES);

        assertThat(breaker.permits()).isFalse();
        assertThat(breaker.pausedFor()).isEqualTo("no room");
    }

    @Test
    void aSuccessBetweenThemStartsTheCountAnew() {
        fail(Breaker.FAILURES - 1);
        breaker.succeeded();
        fail(Breaker.FAILURES - 1);

        assertThat(breaker.permits()).isTrue();
    }

    @Test
    void afterAPauseOneIsTheTrial() {
        fail(Breaker.FAILURES);
        now.set(PAUSE.toNanos());

        assertThat(breaker.permits()).isTrue();
        assertThat(breaker.permits()).isFalse();
    }

    @Test
    void aTrialThatSucceedsEndsThePause() {
        fail(Breaker.FAILURES);
        now.set(PAUSE.toNanos());
        breaker.permits();

        breaker.succeeded();

        assertThat(breaker.permits()).isTrue();
        assertThat(breaker.pausedFor()).isNull();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            breaker.failed("no room");
        }
    }
}
