package dev.kvstore.dataplane.region;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.tier.BlockSource;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An acknowledged block is served as storage here has it. */
final class ReadThroughBesideWritesTest {
    private static final StorageLocation HERE = new StorageLocation.Filesystem(Path.of("/here"));
    private static final StorageLocation THERE = new StorageLocation.Filesystem(Path.of("/there"));
    private static final BlockHash ROOT = new BlockHash(0, 0, 0, 0);
    private static final BlockHash HASH = new BlockHash(1, 2, 3, 4);
    private static final BlockKey KEY = new BlockKey(HERE, ROOT, HASH);

    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);
    private final MemoryStore there = new MemoryStore();
    private final MemoryStore here = new MemoryStore();
    private final VerifiedBlocks blocks = new VerifiedBlocks(pool);

    /** No room in memory: as if the block was evicted, or not admitted. */
    private final Tiers tiers = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(pool), Runnable::run);

    private final Deque<Runnable> later = new ArrayDeque<>();
    private final AtomicInteger tasks = new AtomicInteger();
    private final Presence presence = presence("here");
    private final OtherRegions regions = new OtherRegions(
            new OtherRegions.RegionDependencies(
                    new StoreCache(location -> location.equals(THERE) ? there : here, Ticker.systemTicker()),
                    presence,
                    tiers,
                    pool,
                    new VerifiedBlockImporter(blocks, presence, pool),
                    AddedLatency.NONE),
            1 << 20,
            new SimpleMeterRegistry(),
            Ticker.systemTicker(),
            this::execute);

    /** The question to the other region is answered; what fills the storage here waits. */
    private void execute(Runnable task) {
        if (tasks.getAndIncrement() == 0) {
            task.run();
        } else {
            later.add(task);
        }
    }

    private Presence presence(String node) {
        return new Presence(
                tiers,
                pool,
                new Presence.PresenceCapacity(1_000, 1 << 20),
                node,
                Ticker.systemTicker(),
                new SplittableRandom(node.hashCode()),
                Runnable::run,
                new SimpleMeterRegistry(),
                Announcements.NONE);
    }

    private StoredBlock block(int content) throws Exception {
        BlockMemory bytes = pool.allocate(BlockHeader.PAGE_BYTES + 1000);
        bytes.bytes().put(BlockHeader.PAGE_BYTES, (byte) content);
        BlockHeader header = HeaderWriter.write(
                bytes.bytes(), BlockHeader.PAGE_BYTES, ROOT, ROOT, HASH, Tokens.of(1), ByteBuffer.allocate(0), "key");
        return new StoredBlock(header, bytes);
    }

    /** As a Write does it. */
    private void write(Presence process, BlockKey key, MemoryStore store, int content) throws Exception {
        StoredBlock block = block(content);
        try (Presence.PendingWrite writing = process.begin(key, store)) {
            var _ = blocks.write(store, key, block);
            tiers.keep(key, block, tiers.now(key));
            writing.stored(block.header().bufferBytes());
        } finally {
            block.release();
        }
    }

    private static int crc(Fetched fetched) {
        if (!(fetched instanceof Fetched.FetchedBlock found)) {
            return 0;
        }
        try {
            return found.block().header().crc32c();
        } finally {
            found.block().release();
        }
    }

    @AfterEach
    void everyByteIsGivenBack() {
        later.forEach(Runnable::run);
        tiers.close();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void anAcknowledgedBlockIsServedThoughABlockOfTheOtherRegionWaitsToBeStored() throws Exception {
        Presence process = presence("there");
        write(process, new BlockKey(THERE, ROOT, HASH), there, 1);
        process.beat().join();
        Account.ReadThrough through = new Account.ReadThrough("other", THERE, Duration.ofSeconds(5));
        Account account = new Account("account", "tenant", HERE, Account.Limits.NONE, through);
        BlockSource source = regions.around(presence.source(HERE, here, blocks), account, through);
        int first = crc(tiers.get(source, KEY).join());
        assertThat(first).as("read through").isNotZero();
        assertThat(later).isNotEmpty();

        write(presence, KEY, here, 2);

        assertThat(crc(tiers.get(source, KEY).join()))
                .as("read where it was acknowledged")
                .isEqualTo(crc(blocks.fetch(here, KEY)));
    }
}
