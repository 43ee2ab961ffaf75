package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.internal.http2.KeepAlive.Finding;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    private final ChannelSettings settings = new ChannelSettings(
            1 << 20,
            1 << 20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            "test");
    private final KeepAlive pulse = new KeepAlive(settings, at(0));

    @Test
    void aConnectionThatHearsSomethingIsLeftAlone() {
        pulse.heard(at(8));
        assertThat(pulse.look(true, at(17))).isEqualTo(Finding.WELL);
    }

    @Test
    void aConnectionInUseThatHearsNothingIsAskedOnce() {
        assertThat(pulse.look(true, at(10))).isEqualTo(Finding.ASK);
        assertThat(pulse.look(true, at(14))).isEqualTo(Finding.WELL);
    }

    @Test
    void oneThatDoesNotAnswerIsDead() {
        assertThat(pulse.look(true, at(10))).isEqualTo(Finding.ASK);
        assertThat(pulse.look(true, at(15))).isEqualTo(Finding.DEAD);
    }

    @Test
    void anyAnswerKeepsItAlive() {
        assertThat(pulse.look(true, at(10))).isEqualTo(Finding.ASK);
        pulse.heard(at(14));
        assertThat(pulse.look(true, at(16))).isEqualTo(Finding.WELL);
    }

    @Test
    void oneWithoutCallsIsNotAskedButClosedAfterAWhile() {
        assertThat(pulse.look(false, at(50))).isEqualTo(Finding.WELL);
        assertThat(pulse.look(false, at(60))).isEqualTo(Finding.IDLE);
    }

    @Test
    void aCallAfterALongRestIsGivenItsTime() {
        pulse.rests(at(40));
        assertThat(pulse.look(true, at(45))).isEqualTo(Finding.WELL);
        assertThat(pulse.look(true, at(50))).isEqualTo(Finding.ASK);
    }

    private static long at(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
