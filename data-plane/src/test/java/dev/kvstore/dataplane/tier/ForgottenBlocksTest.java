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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block that is forgotten does not come back from disk, however a load and the forgetting meet. */
final class ForgottenBlocksTest {
    private static final int REGION_PAGES = 64;

    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = some.key(1);
    private final List<Runnable> loads = new ArrayList<>();

    @TempDir
    private Path directory;

    private StoredBlock old;
    private StoredBlock other;
    private DiskTier disk;
    private MemoryTier memory;
    private Tiers tiers;

    @BeforeEach
    void open() throws Exception {
        old = some.block(1);
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
        memory = new MemoryTier(8L * SomeBlocks.TAKEN_BYTES, disk::demote);
        tiers = new Tiers(memory, disk, loads::add);
        tiers.keep(some.key(2), other, tiers.now(some.key(2)));
    }

    @AfterEach
    void everyByteIsGivenBack() {
        tiers.close();
        old.release();
        other.release();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aBlockOnDiskDoesNotRiseBesideItsForgetting() throws Exception {
        int back = 0;
        for (int i = 0; i < 50; i++) {
            back += meet() ? 1 : 0;
            tiers.forget(key);
        }
        assertThat(back).as("times of 50 that a forgotten block was in memory").isZero();
    }

    private boolean meet() throws Exception {
        disk.demote(key, old);
        assertThat(disk.contains(key)).isTrue();
        CompletableFuture<Fetched> load = tiers.get(_ -> new Fetched.Absent(), key);
        Runnable loading = loads.removeLast();
        // Somebody uses the memory tier, so that both of the following wait for its lock, the load first.
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean held = new AtomicBoolean();
        Thread user = Thread.ofPlatform()
                .start(() -> memory.keys((_, _) -> {
                    held.set(true);
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return false;
                }));
        await().pollInterval(Duration.ofMillis(1)).untilTrue(held);
        Thread loader = Thread.ofPlatform().start(loading);
        await().pollInterval(Duration.ofMillis(1)).until(() -> loader.getState() == Thread.State.WAITING);
        Thread forgetter = Thread.ofPlatform().start(() -> tiers.forget(key));
        await().pollInterval(Duration.ofMillis(1)).until(() -> forgetter.getState() == Thread.State.WAITING);
        release.countDown();
        user.join();
        loader.join();
        forgetter.join();
        if (load.join() instanceof Fetched.FetchedBlock found) {
            found.block().release();
        }
        return tiers.isResident(key);
    }
}
