package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.RefusalLog;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;

/** Data planes on one storage, without a network. For one thread. */
final class IngestModel {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long VISIBLE = 30 * SECOND;

    /** Announcements take up to a second, and are delivered once a second here. */
    private static final long ANNOUNCED = 2 * SECOND;

    private static final int BLOCKS = 12;
    private static final int CONTENTS = 3;
    private static final StorageLocation SOMEWHERE = new StorageLocation.Filesystem(Path.of("somewhere"));
    private static final Account ACCOUNT = new Account("account", "tenant", SOMEWHERE);

    /** A block that was stored as new. */
    private record Announcement(DataPlaneModel by, BlockKey key, boolean anew) {}

    /** The last acknowledgement of a block that is in storage. */
    private record Acknowledged(DataPlaneModel by, long at) {}

    private final Random random;
    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final MemoryStore storage = new MemoryStore();
    private final VerifiedBlocks blocks = new VerifiedBlocks(pool);
    private final List<DataPlaneModel> planes = new ArrayList<>();
    private final List<Announcement> announced = new ArrayList<>();
    private final Map<BlockKey, Acknowledged> acknowledged = new HashMap<>();
    private final Map<BlockKey, Long> replaced = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private long now;

    IngestModel(Random random) {
        this.random = random;
        for (String name : List.of("a", "b")) {
            planes.add(new DataPlaneModel(name));
        }
    }

    private final class DataPlaneModel {
        private final String name;
        private final BlockStore store;
        private final Tiers tiers;
        private final Presence presence;
        private final BlockIngest ingest;
        private final RequestAuthorisation.AuthorisedAccount grant;
        private boolean logsAreRefused;

        DataPlaneModel(String name) {
            this.name = name;
            this.store = new HookedStore(storage).before(this::call).store();
            this.tiers = new Tiers(new MemoryTier(6 * 8192, (_, _) -> {}), DiskTier.none(pool), Runnable::run);
            this.presence = new Presence(
                    tiers,
                    pool,
                    new Presence.PresenceCapacity(100, 1 << 20),
                    name,
                    () -> now,
                    random,
                    Runnable::run,
                    new SimpleMeterRegistry(),
                    (key, anew) -> announced.add(new Announcement(this, key, anew)));
            this.ingest =
                    new BlockIngest(blocks, tiers, presence, Heat.unheard(), new DescribedPartitions(() -> now), pool);
            this.grant = new RequestAuthorisation.AuthorisedAccount(
                    ACCOUNT, "key", store, presence.source(SOMEWHERE, store, blocks), Rights.ALL, new RefusalLog());
        }

        private void call(String operation, String blob) throws StorageException {
            if (logsAreRefused && operation.startsWith("put") && blob.contains("/presence/")) {
                throw new StorageException(Kind.THROTTLED, operation, null);
            }
        }
    }

    /** A second of everybody's life. */
    void act() throws Exception {
        now += SECOND;
        List<Announcement> due = List.copyOf(announced);
        announced.clear();
        for (DataPlaneModel plane : planes) {
            due.stream()
                    .filter(of -> of.by != plane)
                    .forEach(of ->
                            plane.presence.heard(SOMEWHERE.place(), of.key.root(), List.of(of.key.hash()), of.anew));
            if (now / SECOND % Presence.BEAT.toSeconds() == 0) {
                plane.presence.beat().join();
            }
            if (random.nextInt(30) == 0) {
                plane.logsAreRefused = !plane.logsAreRefused;
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                int block = random.nextInt(BLOCKS);
                switch (random.nextInt(3)) {
                    case 0 -> write(plane, block);
                    case 1 -> read(plane, block);
                    default -> lookup(plane, block);
                }
            }
        }
        if (random.nextInt(8) == 0) {
            BlockKey lost = key(chunk(random.nextInt(BLOCKS), 0));
            storage.lose(lost.blobName());
            acknowledged.remove(lost);
        }
    }

    private void write(DataPlaneModel plane, int block) throws MemoryExhaustedException {
        PromptChunk chunk = chunk(block, random.nextInt(CONTENTS));
        BlockKey key = key(chunk);
        try {
            IncomingBlock draft = plane.ingest.open(
                    plane.grant,
                    TestChains.PARTITION,
                    new BlockIngest.DeclaredBlock(
                            chunk.getTokensList(),
                            chunk.getExtra(),
                            chunk.getHash(),
                            chunk.getParentHash(),
                            chunk.getBuffer().size()),
                    BlockIngest.FieldNames.OF_CHUNK);
            try {
                ByteString buffer = chunk.getBuffer();
                draft.append(buffer.asReadOnlyByteBufferList(), buffer.size(), chunk.getCrc32C());
                boolean missing = !storage.exists(key.blobName());
                WriteResponse written = plane.ingest.store(draft);
                acknowledged.put(key, new Acknowledged(plane, now));
                if (missing != (written.getOutcome() == WriteResponse.Outcome.STORED)) {
                    faults.add(plane.name + " answers " + written.getOutcome() + " of block " + block);
                }
                if (missing) {
                    replaced.put(key, now);
                    read(plane, block);
                }
            } finally {
                draft.release();
            }
        } catch (StorageException | CallRefusal e) {
            // It is not acknowledged. It may be stored all the same.
            if (storage.exists(key.blobName()) && !acknowledged.containsKey(key)) {
                replaced.put(key, Long.MAX_VALUE);
            }
        }
    }

    private void read(DataPlaneModel plane, int block) throws StorageException, MemoryExhaustedException {
        BlockKey key = key(chunk(block, 0));
        int served;
        try {
            served = crc(plane.tiers.get(plane.grant.origin(), key).join());
        } catch (CompletionException e) {
            return;
        }
        int stored = crc(blocks.fetch(storage, key));
        Acknowledged last = acknowledged.get(key);
        // A block that another process replaced is served as it was until that is announced.
        boolean isOlder = last != null && last.by != plane && now - replaced.getOrDefault(key, now) < ANNOUNCED;
        if (last != null && served != stored && !isOlder) {
            faults.add(plane.name + " serves other bytes of block " + block + " than storage has");
        }
    }

    /** The checksum of a block; 0 for none. */
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

    private void lookup(DataPlaneModel plane, int block) throws MemoryExhaustedException {
        PromptChunk chunk = chunk(block, 0);
        BlockChain chain = BlockChain.of(
                TestChains.PARTITION,
                Tokens.of(chunk.getTokensList().stream().mapToInt(i -> i).toArray()));
        Acknowledged last = acknowledged.get(key(chunk));
        try {
            int found = plane.grant.origin().longestPrefix(chain, ExpectedLength.ANY);
            if (found == 0 && last != null && (last.by == plane || now - last.at >= VISIBLE)) {
                faults.add(plane.name + " denies block " + block + ", acknowledged by " + last.by.name + " "
                        + (now - last.at) / SECOND + " s ago");
            }
        } catch (StorageException e) {
            // It could not be looked up.
        }
    }

    private static PromptChunk chunk(int block, int content) {
        return TestChains.first(TestChains.buffer(100 + content, content), block);
    }

    private static BlockKey key(PromptChunk chunk) {
        return new BlockKey(SOMEWHERE, TestChains.PARTITION.root(), WireNames.hash(chunk.getHash()));
    }

    /** The faults of this second. */
    List<String> faults() {
        return faults;
    }

    void close() {
        planes.forEach(plane -> plane.tiers.close());
    }

    long memoryInUse() {
        return pool.usedBytes();
    }
}
