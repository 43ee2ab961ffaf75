package dev.kvstore.dataplane.presence;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.RacingThreads.ThreadBody;
import dev.kvstore.testing.schedule.Schedules;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule one run at a time is under way, and each caller hears how a run ended. */
@Tag("slow")
final class BackgroundRacesTest {
    @Test
    void callersShareRuns() {
        Schedules.explore(() -> {
            AtomicBoolean running = new AtomicBoolean();
            AtomicInteger runs = new AtomicInteger();
            Background background = new Background(
                    () -> {
                        assertThat(running.getAndSet(true)).isFalse();
                        runs.incrementAndGet();
                        running.set(false);
                        return true;
                    },
                    Runnable::run,
                    () -> 0);
            ThreadBody caller =
                    () -> assertThat(background.await(Duration.ofDays(1))).isTrue();

            race(caller, caller, background::start);

            assertThat(runs).hasValueBetween(1, 3);
        });
    }
}
