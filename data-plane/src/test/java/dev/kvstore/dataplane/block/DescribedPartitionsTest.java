package dev.kvstore.dataplane.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DescribedPartitionsTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);

    private final AtomicLong clock = new AtomicLong();
    private final DescribedPartitions partitions = new DescribedPartitions(clock::get);

    private static BlockKey block(String storage, BlockHash root, long hash) {
        return new BlockKey(new StorageLocation.Filesystem(Path.of(storage)), root, new BlockHash(hash, 0, 0, 0));
    }

    @Test
    void aPartitionIsDescribedOnceForAllItsBlocks() {
        partitions.add(block("/a", ROOT, 1));

        assertThat(partitions.contains(block("/a", ROOT, 2))).isTrue();
    }

    @Test
    void itIsAnotherInAnotherStorageAndWithAnotherRoot() {
        partitions.add(block("/a", ROOT, 1));

        assertThat(partitions.contains(block("/b", ROOT, 1))).isFalse();
        assertThat(partitions.contains(block("/a", new BlockHash(9, 9, 9, 9), 1)))
                .isFalse();
    }

    @Test
    void afterAWhileItIsDescribedAgain() {
        partitions.add(block("/a", ROOT, 1));
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());

        assertThat(partitions.contains(block("/a", ROOT, 1))).isFalse();
    }
}
