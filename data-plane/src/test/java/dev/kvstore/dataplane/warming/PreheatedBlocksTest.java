package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.PartitionDescriptor;
import dev.kvstore.dataplane.block.PurgeRule;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Copying.Preheat;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import dev.kvstore.protocol.purge.StorageDigest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A block that is preheated is as storage has it. */
final class PreheatedBlocksTest {
    private static final Partition PARTITION = Partition.of("model/rev1/fp16");
    private static final BlockHash ROOT = PARTITION.root();
    private static final BlockHash HASH = new BlockHash(1, 2, 3, 4);
    private static final StorageLocation TO = new StorageLocation.Filesystem(Path.of("/to"));
    private static final BlockKey KEY = new BlockKey(TO, ROOT, HASH);
    private static final int STORED_BYTES = BlockHeader.PAGE_BYTES + 1000;

    private final MemoryPool pool = new MemoryPool(16 << 20, Duration.ZERO);
    private final VerifiedBlocks blocks = new VerifiedBlocks(pool);
    private final MemoryStore to = new MemoryStore();
    private final HookedStore hooks = new HookedStore(to);
    private final PurgeRules rules = new PurgeRules(true);
    private final Tiers tiers =
            new Tiers(new MemoryTier(1 << 20, (_, _) -> {}), DiskTier.none(pool), rules, Runnable::run);
    private final Presence presence = new Presence(
            tiers,
            pool,
            new Presence.PresenceCapacity(10_000, 1 << 20),
            "node",
            Ticker.systemTicker(),
            new SplittableRandom(1),
            Runnable::run,
            new SimpleMeterRegistry(),
            Announcements.NONE);

    @AfterEach
    void everyByteIsGivenBack() {
        tiers.close();
        assertThat(pool.usedBytes()).isZero();
    }

    private void store(int content) throws Exception {
        BlockMemory bytes = pool.allocate(STORED_BYTES);
        bytes.bytes().put(BlockHeader.PAGE_BYTES, (byte) content);
        BlockHeader header = HeaderWriter.write(
                bytes.bytes(), BlockHeader.PAGE_BYTES, ROOT, ROOT, HASH, Tokens.of(1), ByteBuffer.allocate(0), "key");
        StoredBlock block = new StoredBlock(header, bytes);
        var _ = blocks.write(to, KEY, block);
        block.release();
        var _ = to.putIfAbsent(BlockNames.descriptor(ROOT), PartitionDescriptor.encode(PARTITION));
    }

    private void copy(HookedStore.Hook whileFetched) throws Exception {
        AtomicBoolean once = new AtomicBoolean();
        hooks.after((operation, name) -> {
            if (operation.equals("get") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                whileFetched.call(operation, name);
            }
        });
        BlockCopier copier = new BlockCopier(
                new BlockCopier.CopierDependencies(
                        blocks,
                        presence,
                        tiers,
                        pool,
                        new VerifiedBlockImporter(
                                blocks, presence, pool, rules, new DescribedPartitions(Ticker.systemTicker())),
                        _ -> {}),
                new CopyEndpoints(
                        WarmerSetup.task()
                                .setCopying(Copying.newBuilder().setTarget(WarmerSetup.storage("/to")))
                                .build(),
                        new StoreCache(_ -> hooks.store(), Ticker.systemTicker()),
                        AddedLatency.NONE),
                Preheat.MEMORY,
                new Allowance(WarmerSetup.PLENTY, Ticker.systemTicker(), _ -> {}));
        assertThat(copier.copy(ROOT, HASH, STORED_BYTES)).isInstanceOf(CopyOutcome.AlreadyThere.class);
        assertThat(once).isTrue();
    }

    private int served() throws Exception {
        return crc(tiers.get(key -> blocks.fetch(to, key), KEY).join());
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

    @Test
    void aBlockThatIsReplacedWhileItIsFetchedForPreheatingIsServedAsStorageHasIt() throws Exception {
        store(1);
        copy((_, _) -> {
            to.lose(KEY.blobName());
            store(2);
            var _ = presence.heard(TO.place(), ROOT, List.of(HASH), true);
        });

        assertThat(served()).isEqualTo(crc(blocks.fetch(to, KEY)));
    }

    @Test
    void aBlockThatIsPurgedWhileItIsFetchedForPreheatingIsNotServed() throws Exception {
        store(1);
        copy((_, _) -> {
            to.lose(KEY.blobName());
            rules.learn(
                    List.of(new PurgeRule("p", 1, Set.of(StorageDigest.of(TO.place())), ROOT, null, null, false, true)),
                    List.of(),
                    true);
            int _ = presence.forgetPurged(rules);
        });

        assertThat(served()).as("storage has none").isZero();
    }
}
