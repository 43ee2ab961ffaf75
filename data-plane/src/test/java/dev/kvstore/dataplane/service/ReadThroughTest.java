package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.metrics.PresenceMetrics;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two regions of one account, each with a storage of its own: here is what reads through, there is what has the blocks.
 */
final class ReadThroughTest {
    private static final StorageLocation HERE = new StorageLocation.Filesystem(Path.of("/here"));
    private static final StorageLocation THERE = new StorageLocation.Filesystem(Path.of("/there"));
    private static final int PART = 128 * 1024;
    private static final int BYTES = 70_000;
    private static final int FAILURES = 5;
    private static final Pattern BLOCK = Pattern.compile("kv/v1/[0-9a-f]{64}/[0-9a-f]{2}/[0-9a-f]{64}");

    /** An action of the other region's storage before it answers. */
    @FunctionalInterface
    private interface RemoteHook {
        void call() throws StorageException;
    }

    private final MemoryStore storageHere = new MemoryStore();
    private final MemoryStore storageThere = new MemoryStore();
    private final AtomicInteger blocksAskedThere = new AtomicInteger();
    private volatile RemoteHook beforeThere = () -> {};
    private volatile boolean fullHere;
    private final StoreCache.Opener opener =
            location -> location.equals(HERE) ? filled(storageHere) : watched(storageThere);
    private final DataPlaneFixture there = new DataPlaneFixture(account(THERE, null), opener);
    private @Nullable DataPlaneFixture here;

    private static AccountResolver account(StorageLocation storage, Account.@Nullable ReadThrough through) {
        return DataPlaneFixture.oneTenant(
                new Account(DataPlaneFixture.RESOURCE, "tenant", storage, Account.Limits.NONE, through));
    }

    private BlockStore filled(BlockStore store) {
        return proxy(store, (method, _) -> {
            if (fullHere && method.equals("putIfAbsent")) {
                throw new StorageException(StorageException.Kind.FULL, "full", null);
            }
        });
    }

    private BlockStore watched(BlockStore store) {
        return proxy(store, (_, name) -> {
            if (BLOCK.matcher(name).matches()) {
                blocksAskedThere.incrementAndGet();
            }
            beforeThere.call();
        });
    }

    /** An action before each call of the store. */
    @FunctionalInterface
    private interface CallHook {
        void call(String method, String name) throws StorageException;
    }

    private static BlockStore proxy(BlockStore store, CallHook watch) {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    if (arguments != null) {
                        watch.call(method.getName(), String.valueOf(arguments[0]));
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A data plane of this region, which waits so long for the other. */
    private DataPlaneFixture here(Duration within) {
        DataPlaneFixture started =
                new DataPlaneFixture(account(HERE, new Account.ReadThrough("there", THERE, within)), opener);
        here = started;
        return started;
    }

    private DataPlaneFixture here() {
        return here(Duration.ofSeconds(30));
    }

    @AfterEach
    void everyByteIsGivenBack() {
        DataPlaneFixture mine = here;
        if (mine != null) {
            await().untilAsserted(() -> assertThat(mine.transferBytes()).isZero());
            mine.close();
        }
        there.close();
    }

    @Test
    void aLengthThatIsExpectedCountsForBlocksThatAreThere() {
        List<PromptChunk> chain = TestChains.chain(5, BYTES, 1);
        writeThere(chain);
        DataPlaneFixture server = here();
        LookupRequest.Builder lookup = MainJobContract.lookup(chain).toBuilder();

        assertThat(server.stub()
                        .lookup(lookup.setExpectedBytes(BYTES + 1).build())
                        .getCachedBlocks())
                .isZero();
        assertThat(server.stub().lookup(lookup.setExpectedBytes(BYTES).build()).getCachedBlocks())
                .isEqualTo(5);
    }

    @Test
    void whatIsStoredThereIsFoundAndReadHere() {
        List<PromptChunk> chain = TestChains.chain(5, BYTES, 1);
        List<ByteString> locations = writeThere(chain);
        DataPlaneFixture server = here();

        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getLocationsList())
                .isEqualTo(locations);
        assertThat(MainJobContract.read(server, locations.getFirst())).isEqualTo(chain.getFirst());
        assertThat(StreamCalls.buffers(StreamCalls.read(server, locations, PART).items()))
                .hasSize(5)
                .containsEntry(4, chain.get(4).getBuffer());
        assertThat(server.meters().get("kvstore.read.through.bytes").counter().count())
                .isGreaterThanOrEqualTo(5.0 * BYTES);
    }

    @Test
    void whatWasReadThroughIsStoredHere() {
        List<PromptChunk> chain = TestChains.chain(5, BYTES, 2);
        List<ByteString> locations = writeThere(chain);
        DataPlaneFixture server = here();
        StreamCalls.read(server, locations, PART);

        await().untilAsserted(() -> assertThat(locations).allMatch(this::isStoredHere));
        server.beat();

        try (DataPlaneFixture alone = new DataPlaneFixture(account(HERE, null), opener)) {
            assertThat(alone.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                    .isEqualTo(5);
            assertThat(MainJobContract.read(alone, locations.get(4))).isEqualTo(chain.get(4));
        }
        assertThat(storageHere.exists(BlockNames.descriptor(TestChains.PARTITION.root())))
                .as("the name of its partition too")
                .isTrue();
    }

    @Test
    void aPromptMayBeginThereAndEndHere() {
        List<PromptChunk> chain = TestChains.chain(7, BYTES, 3);
        writeThere(chain.subList(0, 4));
        DataPlaneFixture server = here();
        MainJobContract.writeAll(server, chain.subList(4, 6));

        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isEqualTo(6);
    }

    @Test
    void whatIsNowhereIsAskedForNowhere() {
        writeThere(TestChains.chain(1, BYTES, 4));
        there.lastBeat(); // else it may have stored more than it has told of
        List<PromptChunk> unknown = TestChains.chain(3, BYTES, 40);
        DataPlaneFixture server = here();
        int before = blocksAskedThere.get();

        assertThat(server.stub().lookup(MainJobContract.lookup(unknown)).getCachedBlocks())
                .isZero();
        assertNotFound(server, location(unknown.getFirst()));
        assertThat(blocksAskedThere.get())
                .as("blocks that the storage there was asked for")
                .isEqualTo(before);
    }

    @Test
    void whatDoesNotComeInTimeIsAMissAndComesAllTheSame() throws Exception {
        List<PromptChunk> chain = TestChains.chain(1, BYTES, 5);
        ByteString location = writeThere(chain).getFirst();
        CountDownLatch slow = new CountDownLatch(1);
        beforeThere = () -> {
            try {
                slow.await();
            } catch (InterruptedException e) {
                throw new StorageException(StorageException.Kind.UNAVAILABLE, "interrupted", e);
            }
        };
        DataPlaneFixture server = here(Duration.ofMillis(50));

        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isZero();
        assertNotFound(server, location);
        slow.countDown();

        await().until(() -> isStoredHere(location));
        assertThat(MainJobContract.read(server, location)).isEqualTo(chain.getFirst());
    }

    @Test
    void whereNothingAnswersItIsAskedNoMoreForAWhile() {
        List<PromptChunk> chain = TestChains.chain(1, BYTES, 6);
        writeThere(chain);
        beforeThere = () -> {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "away", null);
        };
        DataPlaneFixture server = here();
        for (int i = 0; i < FAILURES; i++) {
            assertNotFound(server, location(TestChains.first(TestChains.buffer(512, i), 60 + i)));
        }
        int before = blocksAskedThere.get();

        assertNotFound(server, location(chain.getFirst()));
        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isZero();
        assertThat(blocksAskedThere.get())
                .as("blocks that the storage there was asked for")
                .isEqualTo(before);
    }

    @Test
    void whatCannotBeStoredHereIsServedAndDoesNotCountAsStored() throws Exception {
        List<PromptChunk> chain = TestChains.chain(1, BYTES, 9);
        ByteString location = writeThere(chain).getFirst();
        DataPlaneFixture server = here();
        fullHere = true;

        assertThat(MainJobContract.read(server, location)).isEqualTo(chain.getFirst());
        await().until(() -> fills(server, "failed") == 1);
        fullHere = false;
        int before = blocksAskedThere.get();
        assertThat(MainJobContract.read(server, location)).isEqualTo(chain.getFirst());

        assertThat(blocksAskedThere.get()).as("it comes from there again").isGreaterThan(before);
        await().until(() -> fills(server, "stored") == 1);
        assertThat(isStoredHere(location)).isTrue();
        int stored = blocksAskedThere.get();
        assertThat(MainJobContract.read(server, location)).isEqualTo(chain.getFirst());
        assertThat(blocksAskedThere.get()).as("and then it is here").isEqualTo(stored);
    }

    private static double fills(DataPlaneFixture server, String outcome) {
        return server.meters()
                .get("kvstore.read.through.fills")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void whatIsDamagedThereIsAMissHereAndStaysThere() throws Exception {
        List<PromptChunk> chain = TestChains.chain(1, BYTES, 7);
        ByteString location = writeThere(chain).getFirst();
        String name = name(location);
        storageThere.lose(name);
        storageThere.putZeros(name, BYTES);
        DataPlaneFixture server = here();

        assertNotFound(server, location);
        assertThat(storageThere.exists(name)).isTrue();
        assertThat(storageHere.exists(name)).isFalse();
    }

    @Test
    void whatIsDamagedHereComesFromThereAnew() throws Exception {
        List<PromptChunk> chain = TestChains.chain(1, BYTES, 8);
        ByteString location = writeThere(chain).getFirst();
        try (DataPlaneFixture alone = new DataPlaneFixture(account(HERE, null), opener)) {
            MainJobContract.writeAll(alone, chain);
            alone.beat();
        }
        String name = name(location);
        storageHere.lose(name);
        storageHere.putZeros(name, BYTES);
        DataPlaneFixture server = here();

        assertThat(MainJobContract.read(server, location)).isEqualTo(chain.getFirst());
        await().until(() -> isStoredHere(location));
        StreamCalls.StreamOutcome<ReadPart> again = StreamCalls.read(server, List.of(location), PART);
        assertThat(StreamCalls.buffers(again.items()))
                .containsExactly(Map.entry(0, chain.getFirst().getBuffer()));
    }

    @Test
    void whatIsArchivedThereIsAMissHereAndNoFailure() throws Exception {
        ByteString location = writeThere(TestChains.chain(1, BYTES, 9)).getFirst();
        storageThere.archive(name(location));
        DataPlaneFixture server = here();

        assertNotFound(server, location);
        assertThat(PresenceMetrics.READ_THROUGH_CALLS
                        .counter(server.meters(), "read", "failed")
                        .count())
                .isZero();
    }

    @Test
    void whatIsArchivedHereComesFromThereAnew() throws Exception {
        List<PromptChunk> chain = TestChains.chain(1, BYTES, 10);
        ByteString location = writeThere(chain).getFirst();
        try (DataPlaneFixture alone = new DataPlaneFixture(account(HERE, null), opener)) {
            MainJobContract.writeAll(alone, chain);
            alone.beat();
        }
        storageHere.archive(name(location));

        assertThat(MainJobContract.read(here(), location)).isEqualTo(chain.getFirst());
        await().until(() -> isStoredHere(location));
    }

    private List<ByteString> writeThere(List<PromptChunk> chain) {
        List<ByteString> locations = MainJobContract.writeAll(there, chain);
        there.beat();
        return locations;
    }

    private boolean isStoredHere(ByteString location) {
        return storageHere.exists(name(location));
    }

    private static String name(ByteString location) {
        return BlockKey.of(HERE, WireNames.location(location)).blobName();
    }

    private static ByteString location(PromptChunk chunk) {
        return WireNames.field(new Location(TestChains.PARTITION.root(), WireNames.hash(chunk.getHash())));
    }

    private static void assertNotFound(DataPlaneFixture server, ByteString location) {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> MainJobContract.read(server, location))
                .satisfies(e -> assertThat(e.getStatus().getCode()).isEqualTo(Code.NOT_FOUND));
    }
}
