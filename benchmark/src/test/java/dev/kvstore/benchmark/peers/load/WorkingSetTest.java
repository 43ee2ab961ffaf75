package dev.kvstore.benchmark.peers.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The blocks that every peer serves. */
class WorkingSetTest {
    @ParameterizedTest
    @CsvSource({"512, 1000, 4000", "1200000, 32, 128", "16777216, 4, 16"})
    void isAsLargeAsASizeWants(int blockBytes, int perPrompt, int blocks) {
        WorkingSet set = WorkingSet.of(blockBytes, Damage.NONE);

        assertThat(set.blocksPerPrompt()).isEqualTo(perPrompt);
        assertThat(set.blocks()).isEqualTo(blocks);
    }

    @Test
    void everyBlockHasBytesOfItsOwn() {
        WorkingSet set = WorkingSet.of(512, Damage.NONE);
        ByteBuffer buffer = ByteBuffer.allocate(512);

        set.fill(1, buffer);

        assertThatCode(() -> set.verify(1, List.of(buffer))).doesNotThrowAnyException();
        assertThatThrownBy(() -> set.verify(2, List.of(buffer)))
                .isInstanceOf(BadBlockException.class)
                .hasMessage("block 2 is not what was written: it differs at byte 0");
    }

    @Test
    void oneBitOfACorruptedBlockIsNoticed() {
        WorkingSet set = WorkingSet.of(1_200_000, Damage.CORRUPTED);
        ByteBuffer buffer = ByteBuffer.allocate(1_200_000);

        set.fill(64, buffer);

        assertThatThrownBy(() -> set.verify(64, List.of(buffer))).hasMessageEndingWith("it differs at byte 1199999");
    }

    @Test
    void onlyTheBlockInTheMiddleIsLost() {
        WorkingSet set = WorkingSet.of(16 << 20, Damage.LOST);

        assertThat(set.isStored(8)).isFalse();
        assertThat(set.isStored(7)).isTrue();
    }

    @Test
    void aBlockThatIsTooShortIsNoticed() {
        WorkingSet set = WorkingSet.of(512, Damage.NONE);
        ByteBuffer buffer = ByteBuffer.allocate(512);
        set.fill(0, buffer);

        assertThatThrownBy(() -> set.verify(0, List.of(buffer.slice(0, 511)))).isInstanceOf(BadBlockException.class);
    }
}
