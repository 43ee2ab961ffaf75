package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import org.junit.jupiter.api.Test;

final class TraceTokensTest {
    private static final Partition PARTITION = Partition.of("trace", 512);

    @Test
    void equalNumbersAreEqualBlocksAndOthersAreNot() {
        BlockChain one = chain(1, 2, 3);
        BlockChain other = chain(1, 2, 1L << 32 | 3);

        assertThat(other.hash(1)).isEqualTo(one.hash(1));
        assertThat(other.hash(2)).isNotEqualTo(one.hash(2));
    }

    @Test
    void aBlockHasTheTokensThatItsPromptHasThere() {
        TraceTokens prompt = new TraceTokens(new long[] {7, -8, 9}, 0, 3);

        for (int i = 0; i < 512; i++) {
            assertThat(prompt.block(1).get(i)).isEqualTo(prompt.get(512 + i));
        }
        assertThat(prompt.block(1).size()).isEqualTo(512);
    }

    private static BlockChain chain(long... ids) {
        return BlockChain.of(PARTITION, new TraceTokens(ids, 0, ids.length));
    }
}
