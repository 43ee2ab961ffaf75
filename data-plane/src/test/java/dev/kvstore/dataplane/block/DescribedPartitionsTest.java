package dev.kvstore.dataplane.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions whose descriptors others delete, empty or damage. */
final class DescribedPartitionsTest {
    private static final Partition PARTITION = Partition.of("model/rev1/fp16");
    private static final Partition OTHER = Partition.of("model/rev2/fp16");

    private final AtomicLong clock = new AtomicLong();
    private final DescribedPartitions partitions = new DescribedPartitions(clock::get);
    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);
    private final AtomicInteger calls = new AtomicInteger();

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private BlockStore store;

    @BeforeEach
    void open() throws Exception {
        store = new HookedStore(FilesystemStore.open(directory, InstantSource.system()))
                .before((_, _) -> calls.incrementAndGet())
                .store();
    }

    @AfterEach
    void everythingIsGivenBack() {
        store.close();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void withinAMinuteAPartitionIsDescribedOnceForAllItsBlocks() throws Exception {
        describe(PARTITION, 1);
        int before = calls.get();
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos() - 1);

        describe(PARTITION, 2);

        assertThat(calls).hasValue(before);
    }

    @Test
    void eachPartitionHasADescriptorOfItsOwn() throws Exception {
        describe(PARTITION, 1);
        describe(OTHER, 1);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
        assertThat(described(OTHER)).isEqualTo(OTHER);
    }

    @Test
    void aDescriptorThatIsGoodIsReadOnceAMinuteAndNotWritten() throws Exception {
        describe(PARTITION, 1);
        int before = calls.get();
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());

        describe(PARTITION, 1);
        describe(PARTITION, 2);

        assertThat(calls).hasValue(before + 1);
    }

    @Test
    void aDeletedDescriptorIsWrittenAgainAfterAMinute() throws Exception {
        describe(PARTITION, 1);
        Files.delete(file());
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());

        describe(PARTITION, 2);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
    }

    @Test
    void anEmptyDescriptorCountsAsMissing() throws Exception {
        describe(PARTITION, 1);
        Files.write(file(), new byte[0]);
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());

        describe(PARTITION, 2);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
    }

    @Test
    void aDamagedDescriptorCountsAsMissing() throws Exception {
        describe(PARTITION, 1);
        Files.writeString(file(), "{\"partition\":\"mod", StandardCharsets.UTF_8);
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());

        describe(PARTITION, 2);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
    }

    @Test
    void aDescriptorThatClaimsAnotherPartitionCountsAsMissing() throws Exception {
        describe(OTHER, 1);
        byte[] others =
                Files.readAllBytes(BlobFiles.file(directory, key(OTHER, 1).descriptorName()));
        describe(PARTITION, 1);
        Files.write(file(), others);
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());

        describe(PARTITION, 2);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
    }

    @Test
    void aDescriptorThatStorageDidNotAnswerForIsLookedAtByTheNextWrite() throws Exception {
        describe(PARTITION, 1);
        Files.delete(file());
        clock.addAndGet(DescribedPartitions.TRUSTED.toNanos());
        BlockStore away = new HookedStore(store)
                .before((operation, _) -> {
                    throw new StorageException(StorageException.Kind.UNAVAILABLE, operation, null);
                })
                .store();
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> partitions.describe(key(PARTITION, 2), away, pool, () -> PARTITION));

        describe(PARTITION, 2);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
    }

    @Test
    void aWriterThatKnowsThePartitionWritesTheDescriptorAtOnceAfterOneThatDidNotKnowIt() throws Exception {
        partitions.describe(key(PARTITION, 1), store, pool, () -> null);
        assertThat(described(PARTITION)).isNull();

        describe(PARTITION, 2);

        assertThat(described(PARTITION)).isEqualTo(PARTITION);
    }

    /** Somebody has a lease on it. */
    @Test
    void aDamagedDescriptorThatNobodyMayReplaceStopsNoWrite() throws Exception {
        Files.createDirectories(file().resolveSibling("."));
        Files.write(file(), new byte[0]);
        BlockStore leased = new HookedStore(store)
                .before((operation, _) -> {
                    if (operation.startsWith("put")) {
                        throw new StorageException(StorageException.Kind.FORBIDDEN, operation, null);
                    }
                })
                .store();

        partitions.describe(key(PARTITION, 1), leased, pool, () -> PARTITION);

        assertThat(described(PARTITION)).isNull();
    }

    private void describe(Partition partition, long block) throws Exception {
        partitions.describe(key(partition, block), store, pool, () -> partition);
    }

    private @Nullable Partition described(Partition partition) throws Exception {
        return DescribedPartitions.partition(
                store.get(BlockNames.descriptor(partition.root()), 4096, pool), partition.root());
    }

    private Path file() {
        return BlobFiles.file(directory, BlockNames.descriptor(PARTITION.root()));
    }

    private static BlockKey key(Partition partition, long block) {
        return new BlockKey(
                new StorageLocation.Filesystem(Path.of("/a")), partition.root(), new BlockHash(block, 0, 0, 0));
    }
}
