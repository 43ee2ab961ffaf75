package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadMemoryTest {
    private static final long WANTED = 80;
    private static final long LEAST = 1;

    private final ReadMemory memory = new ReadMemory(1000);

    @Test
    void aReadGetsWhatItWantsWhileThereIsPlenty() {
        assertThat(memory.take(WANTED, LEAST)).isEqualTo(WANTED);
    }

    @Test
    void sharesBecomeSmallerUntilThereIsNoneAndNeverExceedTheLimit() {
        List<Long> shares = new ArrayList<>();

        assertThatThrownBy(() -> {
                    while (true) {
                        shares.add(memory.take(WANTED, LEAST));
                    }
                })
                .isInstanceOfSatisfying(
                        KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
                .hasMessageContaining("maxReadMemoryBytes");

        assertThat(shares).isSortedAccordingTo((a, b) -> Long.compare(b, a)).hasSizeGreaterThan(500);
        assertThat(shares.stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
    }

    @Test
    void whatIsGivenBackIsForOthers() {
        memory.giveBack(memory.take(WANTED, LEAST));

        assertThat(memory.take(WANTED, LEAST)).isEqualTo(WANTED);
    }

    @Test
    void oneReadGetsItsLeastHoweverSmallTheLimitIs() {
        ReadMemory little = new ReadMemory(LEAST);

        assertThat(little.take(WANTED, LEAST)).isEqualTo(LEAST);
    }
}
