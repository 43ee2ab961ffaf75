package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AcknowledgedTest {
    private static final BlockChain CHAIN =
            BlockChain.of(Partition.of("trace", 512), new TraceTokens(new long[] {1, 2, 3}, 0, 3));

    @Test
    void aLookupHasToFindWhatWasAcknowledgedWithoutAGap() {
        Acknowledged acknowledged = new Acknowledged(Duration.ZERO);
        acknowledged.add(CHAIN.hash(0), 100);
        acknowledged.add(CHAIN.hash(2), 100);

        assertThat(acknowledged.prefix(CHAIN, 100)).isEqualTo(1);
    }

    @Test
    void whatMayNotHaveBeenHeardOfYetIsNotAskedFor() {
        Acknowledged acknowledged = new Acknowledged(Duration.ofNanos(50));
        acknowledged.add(CHAIN.hash(0), 100);

        assertThat(acknowledged.prefix(CHAIN, 149)).isZero();
        assertThat(acknowledged.prefix(CHAIN, 150)).isEqualTo(1);
    }

    @Test
    void whatIsAcknowledgedTwiceCountsFromTheFirstTime() {
        Acknowledged acknowledged = new Acknowledged(Duration.ofNanos(50));
        acknowledged.add(CHAIN.hash(0), 100);
        acknowledged.add(CHAIN.hash(0), 140);

        assertThat(acknowledged.prefix(CHAIN, 150)).isEqualTo(1);
    }
}
