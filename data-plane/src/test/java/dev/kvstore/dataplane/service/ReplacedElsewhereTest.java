package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.PurgeRule;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.RefusalLog;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.purge.StorageDigest;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An acknowledged block is found, and served as storage has it. */
final class ReplacedElsewhereTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final StorageLocation SOMEWHERE = new StorageLocation.Filesystem(Path.of("somewhere"));
    private static final Account ACCOUNT = new Account("account", "tenant", SOMEWHERE);
    private static final int REGION_PAGES = 64;

    private record Announcement(Plane by, BlockKey key, boolean anew) {}

    private final Random random = new Random(1);
    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final MemoryStore storage = new MemoryStore();
    private final VerifiedBlocks blocks = new VerifiedBlocks(pool);
    private final List<Plane> planes = new ArrayList<>();
    private final List<Announcement> announced = new ArrayList<>();
    private long now;

    @TempDir
    private Path directory;

    private final class Plane {
        private final HookedStore hooks = new HookedStore(storage);
        private final BlockStore store = hooks.store();
        private final PurgeRules rules = new PurgeRules(true);
        private final DiskTier disk;
        private final Tiers tiers;
        private final Presence presence;
        private final BlockIngest ingest;
        private final RequestAuthorisation.AuthorisedAccount grant;

        /** With a disk, nothing stays in memory: every block is on disk alone. */
        Plane(String name, boolean onDisk) {
            this.disk = onDisk ? disk(name) : DiskTier.none(pool);
            this.tiers = new Tiers(new MemoryTier(onDisk ? 0 : 1 << 20, disk::demote), disk, rules, Runnable::run);
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
            planes.add(this);
        }

        private DiskTier disk(String name) {
            DiskTier opened = DiskTier.open(
                    new DiskSettings(
                            directory.resolve(name),
                            100L * REGION_PAGES * BlockMemory.PAGE_BYTES,
                            REGION_PAGES,
                            256 * 1024,
                            Duration.ofSeconds(1)),
                    pool,
                    Ticker.systemTicker());
            await().until(() -> opened.state().condition() == Condition.WORKING);
            return opened;
        }

        WriteResponse write(int content) throws Exception {
            PromptChunk chunk = chunk(content);
            IncomingBlock draft = ingest.open(
                    grant,
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
                return ingest.store(draft);
            } finally {
                draft.release();
            }
        }

        int read() {
            return crc(tiers.get(grant.origin(), KEY).join());
        }

        int lookup() throws Exception {
            return lookup(ExpectedLength.ANY);
        }

        int lookup(ExpectedLength expected) throws Exception {
            BlockChain chain = BlockChain.of(
                    TestChains.PARTITION,
                    Tokens.of(chunk(0).getTokensList().stream().mapToInt(i -> i).toArray()));
            return grant.origin().longestPrefix(chain, expected);
        }

        void hear() {
            for (Announcement of : List.copyOf(announced)) {
                if (of.by != this) {
                    presence.heard(SOMEWHERE.place(), of.key.root(), List.of(of.key.hash()), of.anew);
                }
            }
        }
    }

    private static final BlockKey KEY =
            new BlockKey(SOMEWHERE, TestChains.PARTITION.root(), WireNames.hash(chunk(0).getHash()));

    private static PromptChunk chunk(int content) {
        return TestChains.first(TestChains.buffer(100 + content, content), 7);
    }

    private static int crc(@Nullable Fetched fetched) {
        if (!(fetched instanceof Fetched.FetchedBlock found)) {
            return 0;
        }
        try {
            return found.block().header().crc32c();
        } finally {
            found.block().release();
        }
    }

    private int stored() throws Exception {
        return crc(blocks.fetch(storage, KEY));
    }

    private void second() {
        now += SECOND;
        if (now / SECOND % 5 == 0) {
            planes.forEach(plane -> plane.presence.beat().join());
        }
    }

    @AfterEach
    void everyByteIsGivenBack() {
        planes.forEach(plane -> plane.tiers.close());
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aLoadUnderWayWhenAReplacementIsAnnouncedDoesNotKeepTheOldBytes() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        a.write(0);
        assertThat(b.lookup()).isEqualTo(1);
        AtomicBoolean once = new AtomicBoolean();
        b.hooks.after((operation, name) -> {
            if (operation.equals("get") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                // b has the old bytes on their way. Storage loses the block, a stores it anew, b hears of that.
                storage.lose(KEY.blobName());
                assertThat(a.write(1).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
                b.hear();
            }
        });
        assertThat(b.read()).as("the load that began before").isNotZero();

        for (int i = 0; i < 600; i++) {
            second();
        }

        assertThat(b.read()).as("10 min after the announcement arrived").isEqualTo(stored());
    }

    @Test
    void aBlockThatIsAcknowledgedIsNotServedFromDiskAsItWasBefore() throws Exception {
        Plane a = new Plane("a", true);
        a.write(0);
        await().until(() -> a.disk.contains(KEY));
        storage.lose(KEY.blobName());
        AtomicBoolean once = new AtomicBoolean();
        a.hooks.after((operation, name) -> {
            if (operation.equals("putIfAbsent") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                throw new StorageException(Kind.UNAVAILABLE, "the answer was lost", null);
            }
        });
        assertThatThrownBy(() -> a.write(1)).isInstanceOf(StorageException.class);

        WriteResponse again = a.write(1);

        assertThat(again.getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
        assertThat(again.getStoredCrc32C()).as("acknowledged as storage has it").isEqualTo(stored());
        assertThat(a.read()).as("read where it was acknowledged").isEqualTo(stored());
    }

    private void findForAMinute(Plane... others) throws Exception {
        for (int i = 0; i < 60; i++) {
            second();
            for (Plane other : others) {
                assertThat(other.lookup()).isEqualTo(1);
            }
        }
    }

    @Test
    void aBlockWhosePutLostItsAnswerIsNotDeniedByAProcessThatSawItMissing() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        Plane c = new Plane("c", false);
        a.write(0);
        findForAMinute(b, c);
        announced.clear();
        storage.lose(KEY.blobName());
        assertThat(b.read()).as("b sees it missing").isZero();
        AtomicBoolean once = new AtomicBoolean();
        c.hooks.after((operation, name) -> {
            if (operation.equals("putIfAbsent") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                throw new StorageException(Kind.UNAVAILABLE, "the answer was lost", null);
            }
        });
        assertThatThrownBy(() -> c.write(0)).isInstanceOf(StorageException.class);
        assertThat(c.write(0).getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
        assertThat(c.lookup()).isEqualTo(1);

        for (int i = 0; i < 600; i++) {
            second();
            b.hear();
        }

        assertThat(b.lookup()).as("b, 10 min after the acknowledgement").isEqualTo(1);
    }

    @Test
    void aBlockWhosePutWasAskedTwiceIsNotDeniedByAProcessThatSawItMissing() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        Plane c = new Plane("c", false);
        a.write(0);
        findForAMinute(b, c);
        storage.lose(KEY.blobName());
        assertThat(b.read()).as("b sees it missing").isZero();
        c.hooks.asksTwice(KEY.blobName()::equals);

        assertThat(c.write(0).getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);

        for (int i = 0; i < 600; i++) {
            second();
        }
        assertThat(b.lookup()).as("b, 10 min after the acknowledgement").isEqualTo(1);
    }

    @Test
    void aHeaderThatIsGarbledOnItsWayDeniesNoBlock() throws Exception {
        Plane a = new Plane("a", false);
        a.write(0);
        ByteBuffer whole = bytes();
        ByteBuffer garbled = bytes();
        garbled.put(150, (byte) ~garbled.get(150));
        AtomicBoolean once = new AtomicBoolean();
        a.hooks
                .before((operation, name) -> {
                    if (operation.equals("getRange") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                        replace(garbled);
                    } else if (operation.equals("putIfAbsent") && name.equals(KEY.blobName())) {
                        throw new StorageException(Kind.THROTTLED, "too many requests", null);
                    }
                })
                .after((operation, name) -> {
                    if (operation.equals("getRange")) {
                        replace(whole);
                    }
                });

        assertThatThrownBy(() -> a.write(1)).isInstanceOf(StorageException.class);

        assertThat(a.lookup()).as("acknowledged, and stored all the time").isEqualTo(1);
    }

    private ByteBuffer bytes() throws Exception {
        Got got = storage.get(KEY.blobName(), BlockStore.MAX_BLOB_BYTES, pool);
        assertThat(got).isInstanceOf(Blob.class);
        BlockMemory memory = ((Blob) got).memory();
        try {
            return ByteBuffer.allocate(memory.length()).put(memory.bytes()).flip();
        } finally {
            memory.release();
        }
    }

    private void replace(ByteBuffer bytes) {
        storage.lose(KEY.blobName());
        var _ = storage.putIfAbsent(KEY.blobName(), bytes.duplicate());
    }

    /** F3b: the bytes. */
    @Test
    void aBlockWhosePutLostItsAnswerIsServedElsewhereAsStorageHasIt() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        a.write(0);
        assertThat(b.read()).isEqualTo(stored());
        storage.lose(KEY.blobName());
        AtomicBoolean once = new AtomicBoolean();
        a.hooks.after((operation, name) -> {
            if (operation.equals("putIfAbsent") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                throw new StorageException(Kind.UNAVAILABLE, "the answer was lost", null);
            }
        });
        announced.clear();
        assertThatThrownBy(() -> a.write(1)).isInstanceOf(StorageException.class);
        assertThat(a.write(1).getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);

        for (int i = 0; i < 600; i++) {
            second();
            b.hear();
        }

        assertThat(b.read())
                .as("b, 10 min after all announcements %s", announced)
                .isEqualTo(stored());
    }

    @Test
    void anAnnouncedReplacementIsHeededOnDiskThoughAnotherWritersBlocksWerePurged() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", true);
        a.write(0);
        assertThat(b.lookup()).isEqualTo(1);
        assertThat(b.read()).isEqualTo(stored());
        await().until(() -> b.disk.contains(KEY));
        b.rules.learn(
                List.of(new PurgeRule(
                        "p",
                        1,
                        Set.of(StorageDigest.of(SOMEWHERE.place())),
                        KEY.root(),
                        null,
                        "somebody else's key",
                        false,
                        true)),
                List.of(),
                true);
        int _ = b.presence.forgetPurged(b.rules);
        storage.lose(KEY.blobName());
        a.write(1);
        b.hear();

        assertThat(b.read()).as("after the announcement arrived").isEqualTo(stored());
    }

    @Test
    void anAnnouncedReplacementIsHeededByAProcessThatHasTheBlockOnDiskSinceBeforeItsRestart() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", true);
        a.write(0);
        assertThat(b.read()).isEqualTo(stored());
        await().until(() -> b.disk.contains(KEY));
        b.presence.close();
        b.tiers.close();
        planes.remove(b);
        Plane restarted = new Plane("b", true);
        await().until(() -> restarted.disk.contains(KEY));
        assertThat(restarted.read()).as("served from disk").isEqualTo(stored());
        storage.lose(KEY.blobName());
        a.write(1);
        restarted.hear();

        assertThat(restarted.read()).as("after the announcement arrived").isEqualTo(stored());
    }

    @Test
    void aBlockOfAnotherLengthIsFoundElsewhereIn30sThoughNoAnnouncementArrives() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        a.write(0);
        assertThat(b.lookup(new ExpectedLength(100))).isEqualTo(1);
        storage.lose(KEY.blobName());
        assertThat(a.write(1).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);

        for (int i = 0; i < 300; i++) {
            second();
            if (i >= 30) {
                assertThat(b.lookup(new ExpectedLength(101)))
                        .as("b, after %d s", i)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aBlockOfAnotherLengthIsFoundElsewhereThoughItsHeaderWasBeingReadWhenItWasAnnounced() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        a.write(0);
        AtomicBoolean once = new AtomicBoolean();
        b.hooks.after((operation, name) -> {
            if (operation.equals("getRange") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                storage.lose(KEY.blobName());
                assertThat(a.write(1).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
                b.hear();
            }
        });
        assertThat(b.lookup(new ExpectedLength(100))).isEqualTo(1);
        assertThat(once).isTrue();

        for (int i = 0; i < 300; i++) {
            second();
            if (i >= 30) {
                assertThat(b.lookup(new ExpectedLength(101)))
                        .as("b, after %d s", i)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aBlockThatIsReplacedBeforeItsWriterHearsThatItIsStoredIsServedAsStorageHasIt() throws Exception {
        Plane a = new Plane("a", false);
        Plane b = new Plane("b", false);
        AtomicBoolean once = new AtomicBoolean();
        a.hooks.after((operation, name) -> {
            if (operation.equals("putIfAbsent") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                // The answer takes its time. Meanwhile storage loses the block, and b stores it anew.
                storage.lose(KEY.blobName());
                assertThat(b.write(1).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
                a.hear();
            }
        });
        a.write(0);
        for (int i = 0; i < 600; i++) {
            second();
        }

        assertThat(a.read()).as("10 min later").isEqualTo(stored());
    }

    @Test
    void aBlockThatIsPurgedBeforeItsWriterHearsThatItIsStoredIsNotServed() throws Exception {
        Plane a = new Plane("a", false);
        AtomicBoolean once = new AtomicBoolean();
        a.hooks.after((operation, name) -> {
            if (operation.equals("putIfAbsent") && name.equals(KEY.blobName()) && !once.getAndSet(true)) {
                storage.lose(KEY.blobName());
                a.rules.learn(
                        List.of(new PurgeRule(
                                "p",
                                1,
                                Set.of(StorageDigest.of(SOMEWHERE.place())),
                                KEY.root(),
                                null,
                                null,
                                false,
                                true)),
                        List.of(),
                        true);
                int _ = a.presence.forgetPurged(a.rules);
            }
        });
        a.write(0);

        assertThat(a.read()).as("storage has none").isZero();
    }
}
