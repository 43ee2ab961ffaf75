package dev.kvstore.admin.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {
    private final AtomicLong clock = new AtomicLong();
    private final TokenBuckets shares = new TokenBuckets(2, 3, 1_000, clock::get);

    private void exhaust(String caller) {
        while (shares.take(caller)) {
            // The clock stands.
        }
    }

    @Test
    void aCallerThatHasUsedItsShareTakesNothingOfAnothers() {
        exhaust("a");

        assertThat(shares.take("b")).isTrue();
        assertThat(shares.take("a")).isFalse();
    }

    @Test
    void aShareComesBackWithTime() {
        exhaust("a");
        clock.addAndGet(1_000_000_000L);

        assertThat(shares.take("a")).isTrue();
        assertThat(shares.take("a")).isFalse();
    }

    @Test
    void ofManyCallersTheLastAreToldApart() {
        exhaust("a");
        exhaust("b");
        exhaust("c");

        assertThat(shares.take("c")).isFalse();
        assertThat(shares.take("a")).isTrue();
    }
}
