package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy that fails costs whoever asks that one block, and no memory. */
final class TiersTest {
    private static final int REGION_PAGES = 64;
    private static final String WORKS = "";

    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = some.key(1);
    private String failing = WORKS;

    @TempDir
    private Path directory;

    private VerifiedBlocks blocks;
    private BlockStore store;
    private DiskTier disk;
    private Tiers tiers;

    @BeforeEach
    void open() throws Exception {
        blocks = new VerifiedBlocks(some.pool());
        store = FilesystemStore.open(directory.resolve("store"), InstantSource.system());
        disk = DiskTier.open(
                new DiskSettings(
                        directory.resolve("disk"),
                        100L * REGION_PAGES * BlockMemory.PAGE_BYTES,
                        REGION_PAGES,
                        256 * 1024,
                        Duration.ofSeconds(1)),
                some.pool(),
                Ticker.systemTicker());
        Awaitility.await().until(() -> disk.state().condition() == Condition.WORKING);
        tiers = new Tiers(new MemoryTier(SomeBlocks.TAKEN_BYTES, policy(), (_, _) -> {}), disk, Runnable::run);
        StoredBlock other = some.block(2);
        tiers.keep(some.key(2), other, tiers.now(some.key(2)));
        other.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"admits", "evict", "added"})
    void aBlockFromStorageIsGivenBack(String step) throws Exception {
        StoredBlock block = some.block(1);
        blocks.write(store, key, block);
        block.release();

        assertLost(step);
    }

    @ParameterizedTest
    @ValueSource(strings = {"admits", "evict", "added"})
    void aBlockFromDiskIsGivenBack(String step) throws Exception {
        StoredBlock block = some.block(1);
        disk.demote(key, block);
        block.release();

        assertLost(step);
    }

    private void assertLost(String step) {
        failing = step;
        CompletableFuture<Fetched> asked = tiers.get(wanted -> blocks.fetch(store, wanted), key);
        failing = WORKS;

        assertThat(asked).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining(step + " fails");
        assertThat(tiers.resident(key)).isNull();
    }

    @AfterEach
    void everyByteIsGivenBack() {
        tiers.close();
        assertThat(some.usedBytes()).isZero();
    }

    /** The least recently used leaves, but for the step that fails. */
    @SuppressWarnings("unchecked")
    private EvictionPolicy<BlockKey> policy() {
        EvictionPolicy<BlockKey> choice = new LeastRecentlyUsed<>();
        return (EvictionPolicy<BlockKey>) Proxy.newProxyInstance(
                EvictionPolicy.class.getClassLoader(),
                new Class<?>[] {EvictionPolicy.class},
                (_, method, arguments) -> {
                    if (method.getName().equals(failing)) {
                        throw new IllegalStateException(failing + " fails");
                    }
                    try {
                        return method.invoke(choice, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
