package dev.kvstore.admin.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link Denials}: who is refused again and again waits for it. */
class DenialsTest {
    private long nanos = -5;
    private final Denials denials = new Denials(() -> nanos);

    private void refuse(String caller, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(denials.one(caller)).isZero();
        }
    }

    @Test
    void aCallerWaitsWhoWasRefusedManyTimes() {
        refuse("viewer", Denials.AT_ONCE);

        assertThat(denials.one("viewer")).isEqualTo(Denials.PAUSE);
    }

    @Test
    void anotherCallerDoesNot() {
        refuse("viewer", Denials.AT_ONCE);
        Duration _ = denials.one("viewer");

        assertThat(denials.one("operator")).isZero();
    }

    @Test
    void aCallerThatIsRefusedRarelyNeverWaits() {
        for (int i = 0; i < 10 * Denials.AT_ONCE; i++) {
            nanos += TimeUnit.MILLISECONDS.toNanos(100);
            assertThat(denials.one("viewer")).isZero();
        }
    }
}
