package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.launcher.LaunchException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Processes that live and die on a clock of their own. */
final class NodeKeeperTest {
    /** A process that serves at once, or never, and ends after a while. */
    private final class Life implements NodeKeeper.RunningNode {
        final boolean serves;
        final Duration lasts;
        final int exitCode;
        boolean stopped;

        Life(boolean serves, Duration lasts, int exitCode) {
            this.serves = serves;
            this.lasts = lasts;
            this.exitCode = exitCode;
        }

        @Override
        public long pid() {
            return exitCode;
        }

        @Override
        public boolean awaitServing() {
            return serves;
        }

        @Override
        public int awaitEnd() throws InterruptedException {
            if (lasts.isNegative()) {
                throw new InterruptedException();
            }
            nanos += lasts.toNanos();
            return exitCode;
        }

        @Override
        public void stop() {
            stopped = true;
        }
    }

    private static final Duration UNTIL_INTERRUPTED = Duration.ofSeconds(-1);

    private long nanos;
    private final List<String> told = new ArrayList<>();
    private final Deque<Supplier<NodeKeeper.RunningNode>> lives = new ArrayDeque<>();

    private final NodeKeeper keeper = new NodeKeeper(
            () -> lives.remove().get(),
            new BackOff(() -> nanos),
            pause -> nanos += pause.toNanos(),
            new NodeKeeper.NodeListener() {
                @Override
                public void serves(long pid) {
                    told.add("serves");
                }

                @Override
                public void died(String how, Duration pause) {
                    told.add(how + ", " + pause.toSeconds() + " s");
                }
            });

    @Test
    void aProcessThatDiesIsStartedAgainAfterAPauseThatGrows() throws Exception {
        serving(Duration.ZERO, 137);
        dyingAtStart(1);
        serving(Duration.ofSeconds(10), 134);
        misconfigured();

        assertThat(keeper.call()).isEqualTo(2);

        assertThat(told)
                .containsExactly(
                        "serves",
                        "ended with exit code 137, 1 s",
                        "ended with exit code 1, 2 s",
                        "serves",
                        "ended with exit code 134, 4 s");
        Duration slept = Duration.ofSeconds(1 + 2 + 4).plus(NodeKeeper.SETTLE.multipliedBy(3));
        assertThat(Duration.ofNanos(nanos)).isEqualTo(slept.plusSeconds(10));
    }

    @Test
    void aProcessThatServedLongIsStartedAgainSoon() throws Exception {
        dyingAtStart(1);
        dyingAtStart(1);
        serving(BackOff.HEALTHY, 137);
        misconfigured();

        assertThat(keeper.call()).isEqualTo(2);

        assertThat(told).last().isEqualTo("ended with exit code 137, 1 s");
    }

    @Test
    void aWrongConfigurationIsNotTriedAgain() throws Exception {
        misconfigured();

        assertThat(keeper.call()).isEqualTo(NodeKeeper.MISCONFIGURED);

        assertThat(told).isEmpty();
        assertThat(nanos).isZero();
    }

    @Test
    void aStartThatFailsIsADeath() throws Exception {
        lives.add(() -> {
            throw new LaunchException("cannot be started: no memory");
        });
        misconfigured();

        assertThat(keeper.call()).isEqualTo(2);

        assertThat(told).containsExactly("cannot be started: no memory, 1 s");
    }

    @Test
    void anInterruptStopsTheProcess() {
        Life life = new Life(true, UNTIL_INTERRUPTED, 0);
        lives.add(() -> life);

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(keeper::call);

        assertThat(life.stopped).isTrue();
        assertThat(told).containsExactly("serves");
    }

    private void serving(Duration lasts, int exitCode) {
        lives.add(() -> new Life(true, lasts, exitCode));
    }

    private void dyingAtStart(int exitCode) {
        lives.add(() -> new Life(false, Duration.ZERO, exitCode));
    }

    private void misconfigured() {
        lives.add(() -> new Life(false, Duration.ZERO, 2));
    }
}
