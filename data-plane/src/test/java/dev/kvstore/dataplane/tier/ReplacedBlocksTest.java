package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block that was deleted in storage and stored anew, with other bytes, is served as storage has it. */
final class ReplacedBlocksTest {
    private static final int REGION_PAGES = 64;

    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = some.key(1);

    @TempDir
    private Path directory;

    private StoredBlock old;
    private StoredBlock anew;
    private StoredBlock other;
    private DiskTier disk;
    private Tiers tiers;

    @BeforeEach
    void open() throws Exception {
        old = some.block(1);
        anew = some.blockAfter(9, 1);
        other = some.block(2);
        disk = DiskTier.open(
                new DiskSettings(
                        directory,
                        100L * REGION_PAGES * BlockMemory.PAGE_BYTES,
                        REGION_PAGES,
                        256 * 1024,
                        Duration.ofSeconds(1)),
                some.pool(),
                Ticker.systemTicker());
        await().until(() -> disk.state().condition() == Condition.WORKING);
        tiers = new Tiers(new MemoryTier(SomeBlocks.TAKEN_BYTES, disk::demote), disk, Runnable::run);
    }

    @AfterEach
    void everyByteIsGivenBack() {
        tiers.close();
        old.release();
        anew.release();
        other.release();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void theNewBlockTakesThePlaceOfTheOldOneInMemory() {
        tiers.keep(key, old, tiers.now(key));

        tiers.keep(key, anew, tiers.now(key));

        assertThatAnewIsServed();
    }

    @Test
    void anOldBlockThatIsBeingLoadedDoesNotComeBack() {
        Fetched loaded = tiers.get(
                        _ -> {
                            tiers.keep(key, anew, tiers.now(key));
                            tiers.keep(
                                    some.key(2),
                                    other,
                                    tiers.now(some.key(2))); // which needs the memory of the new one
                            return new Fetched.FetchedBlock(old.retain());
                        },
                        key)
                .join();

        assertThat(loaded)
                .isInstanceOfSatisfying(
                        Fetched.FetchedBlock.class, found -> found.block().release());
        assertThatAnewIsServed();
    }

    @Test
    void anOldBlockThatIsBeingLoadedDoesNotOutliveItsDeletion() {
        Fetched loaded = tiers.get(
                        _ -> {
                            tiers.forget(key);
                            return new Fetched.FetchedBlock(old.retain());
                        },
                        key)
                .join();

        assertThat(loaded)
                .isInstanceOfSatisfying(
                        Fetched.FetchedBlock.class, found -> found.block().release());
        assertThat(tiers.isResident(key)).isFalse();
    }

    private void assertThatAnewIsServed() {
        Fetched served = tiers.get(_ -> new Fetched.Absent(), key).join();
        assertThat(served).isInstanceOfSatisfying(Fetched.FetchedBlock.class, found -> {
            assertThat(found.block().header().parent()).isEqualTo(anew.header().parent());
            found.block().release();
        });
    }
}
