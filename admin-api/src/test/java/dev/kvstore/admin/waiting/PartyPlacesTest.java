package dev.kvstore.admin.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link PartyPlaces}: nobody waits for what another asks for. */
@Timeout(60)
class PartyPlacesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final PartyPlaces places = new PartyPlaces(3, 2);
    private final BlockingQueue<String> began = new LinkedBlockingQueue<>();

    private Thread waits(String party) {
        return Thread.startVirtualThread(() -> {
            if (places.take(party, MINUTE)) {
                began.add(party);
            }
        });
    }

    private String next() throws InterruptedException {
        return String.valueOf(began.poll(MINUTE.toSeconds(), TimeUnit.SECONDS));
    }

    private void awaitWaiting(int count) {
        while (places.waiting() != count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aPartyHasNoMoreThanItsPlacesThoughOthersAreFree() {
        assertThat(places.take("a", Duration.ZERO)).isTrue();
        assertThat(places.take("a", Duration.ZERO)).isTrue();

        assertThat(places.take("a", Duration.ZERO)).isFalse();

        assertThat(places.take("b", Duration.ZERO)).isTrue();
        assertThat(places.free()).isZero();
    }

    @Test
    void aPartyThatWaitsForItsOwnPlacesIsNotInTheLineOfOthers() throws InterruptedException {
        List<Thread> many = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            many.add(waits("a"));
        }
        assertThat(next() + next()).isEqualTo("aa");
        awaitWaiting(18);

        assertThat(places.take("b", Duration.ZERO)).isTrue();
        Thread second = waits("b");
        awaitWaiting(19);
        places.giveBack("a");

        assertThat(next()).isEqualTo("b");
        for (int i = 0; i < 18; i++) {
            places.giveBack("a");
            assertThat(next()).isEqualTo("a");
        }
        places.giveBack("a");
        for (Thread thread : many) {
            assertThat(thread.join(MINUTE)).isTrue();
        }
        assertThat(second.join(MINUTE)).isTrue();
    }

    @Test
    void aPartyThatGetsNoPlaceLeavesNoneTaken() {
        PartyPlaces one = new PartyPlaces(1, 1);
        assertThat(one.take("a", Duration.ZERO)).isTrue();
        assertThat(one.take("b", Duration.ZERO)).isFalse();
        assertThat(one.take("a", Duration.ofMillis(1))).isFalse();

        one.giveBack("a");

        assertThat(one.take("b", Duration.ZERO)).isTrue();
        one.giveBack("b");
        assertThat(one.free()).isEqualTo(1);
        assertThat(one.waiting()).isZero();
    }
}
