package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CreditTest {
    @Test
    void aPeerThatSendsMoreThanItsWindowIsFoundOut() {
        Credit credit = new Credit(100);
        assertThat(credit.receive(100)).isTrue();
        assertThat(credit.receive(1)).isFalse();
    }

    @Property(tries = 300)
    void aPeerWhoseBytesAreTakenNeverRunsDryAndNeverGetsMore(
            @ForAll @Size(max = 200) List<@IntRange(min = 1, max = 50) Integer> frames) {
        Credit credit = new Credit(100);
        int open = 100;
        for (int bytes : frames) {
            assertThat(credit.receive(bytes)).isTrue();
            open += credit.take(bytes) - bytes;
            assertThat(open).isBetween(50, 100);
        }
    }
}
