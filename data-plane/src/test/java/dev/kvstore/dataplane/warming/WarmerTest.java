package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlane;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.account.control.Replica;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Blocks;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.Landing;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.control.v1.Budget;
import dev.kvstore.protocol.control.v1.ClaimRequest;
import dev.kvstore.protocol.control.v1.ClaimResponse;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Copying.Preheat;
import dev.kvstore.protocol.control.v1.Failure;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Listing;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportListedResponse;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class WarmerTest {
    private static final BlockHash ROOT = new BlockHash(7, 7, 7, 7);
    private static final StorageLocation FROM = new StorageLocation.Filesystem(Path.of("/from"));
    private static final StorageLocation TO = new StorageLocation.Filesystem(Path.of("/to"));
    private static final int BUFFER_BYTES = 1_000;
    private static final int STORED_BYTES = BlockHeader.PAGE_BYTES + BUFFER_BYTES;
    private static final Budget PLENTY = Budget.newBuilder()
            .setBytesPerSecond(1L << 40)
            .setRequestsPerSecond(1_000_000)
            .build();

    /** Gives out tasks and hears what becomes of them, over the real protocol on loopback. */
    private static final class Giver extends WarmingServiceGrpc.WarmingServiceImplBase {
        final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
        final List<ReportCopiedRequest> copied = new CopyOnWriteArrayList<>();
        final List<ReportListedRequest> listed = new CopyOnWriteArrayList<>();
        volatile @Nullable Status refusal;
        volatile int size;

        @Override
        public void claim(ClaimRequest request, StreamObserver<ClaimResponse> caller) {
            // A task is given out until it is over: the answer to a claim may come after its deadline.
            ClaimResponse.Builder answer = ClaimResponse.newBuilder();
            tasks.stream()
                    .filter(task -> !request.getWarmingsList().contains(task.getWarming()))
                    .findFirst()
                    .ifPresent(answer::setTask);
            caller.onNext(answer.build());
            caller.onCompleted();
        }

        @Override
        public void reportCopied(ReportCopiedRequest request, StreamObserver<ReportCopiedResponse> caller) {
            Status why = refusal;
            if (why != null) {
                caller.onError(why.asRuntimeException());
                return;
            }
            copied.add(request);
            boolean over = request.getFrom() + request.getOutcomes().size() == size;
            if (over || request.getGivenBack()) {
                end(request.getWarming());
            }
            caller.onNext(ReportCopiedResponse.newBuilder()
                    .setOver(over)
                    .setBudget(PLENTY)
                    .build());
            caller.onCompleted();
        }

        @Override
        public void reportListed(ReportListedRequest request, StreamObserver<ReportListedResponse> caller) {
            listed.add(request);
            boolean over = request.getLast() || !request.getFlaw().isEmpty();
            if (over) {
                end(request.getWarming());
            }
            caller.onNext(ReportListedResponse.newBuilder()
                    .setOver(over)
                    .setBudget(PLENTY)
                    .build());
            caller.onCompleted();
        }

        private void end(String warming) {
            tasks.removeIf(task -> task.getWarming().equals(warming));
        }

        /** What is known of each block, in their order: COPIED, PRESENT, FAILED. */
        String outcomes() {
            StringBuilder all = new StringBuilder();
            copied.forEach(report -> {
                all.setLength(report.getFrom());
                report.getOutcomes().forEach(outcome -> all.append(outcome));
            });
            return all.toString();
        }

        List<String> reasons() {
            return copied.stream()
                    .flatMap(report -> report.getFailuresList().stream())
                    .map(Failure::getReason)
                    .distinct()
                    .toList();
        }
    }

    /** What a storage does before it does what it is asked for with a block. */
    private interface Before {
        void call(String method) throws StorageException;
    }

    private final Giver giver = new Giver();
    private final MemoryStore from = new MemoryStore();
    private final MemoryStore to = new MemoryStore();
    private volatile Before beforeFrom = _ -> {};
    private volatile Before beforeTo = _ -> {};
    private final MemoryPool pool = new MemoryPool(16 << 20, Duration.ofSeconds(1));
    private final Blocks blocks = new Blocks(pool);
    private final MemoryTier memory = new MemoryTier(1 << 20, (_, _) -> {});
    private final Tiers tiers = new Tiers(memory, DiskTier.none(pool), Runnable::run);
    private final Server server;
    private final ControlPlane plane;
    private final Warmer.Means means;
    private Warmer warmer;
    private volatile boolean busy;
    private volatile String lease = "a-lease";

    WarmerTest() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(giver)
                .build()
                .start();
        plane = new ControlPlane(
                List.of(new Replica("127.0.0.1", server.getPort())), _ -> null, new JoinToken("join-token-of-a-test"));
        StoreCache stores = new StoreCache(
                location -> location.equals(FROM) ? faulty(from, true) : faulty(to, false), Ticker.systemTicker());
        Presence presence = new Presence(
                tiers,
                pool,
                new Presence.Capacity(10_000, 1 << 20),
                "node",
                Ticker.systemTicker(),
                new SplittableRandom(1),
                Executors.newVirtualThreadPerTaskExecutor(),
                new SimpleMeterRegistry(),
                Announcements.NONE);
        means = new Warmer.Means(
                stores, blocks, presence, tiers, pool, new Landing(blocks, presence, pool), AddedLatency.NONE);
        warmer = warmer(1 << 20);
    }

    /** One that copies so many bytes at a time. */
    private Warmer warmer(long bytes) {
        return new Warmer(plane, () -> lease, means, new Warmed(), bytes, () -> busy, () -> false);
    }

    private BlockStore faulty(BlockStore store, boolean source) {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    boolean block =
                            arguments == null || !String.valueOf(arguments[0]).endsWith("partition.json");
                    if (block) {
                        (source ? beforeFrom : beforeTo).call(method.getName());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @AfterEach
    void everyByteIsGivenBack() {
        warmer.close();
        plane.close();
        server.shutdownNow();
        tiers.close();
        assertThat(pool.usedBytes()).isZero();
    }

    private static BlockHash hash(int i) {
        return new BlockHash(i, 2, 3, i);
    }

    private static String name(int i) {
        return new BlockKey(FROM, ROOT, hash(i)).blobName();
    }

    private void store(MemoryStore store, int i) throws Exception {
        BlockMemory bytes = pool.allocate(STORED_BYTES);
        bytes.bytes().put(BlockHeader.PAGE_BYTES, (byte) i);
        BlockHeader header = HeaderWriter.write(
                bytes.bytes(),
                BlockHeader.PAGE_BYTES,
                ROOT,
                i == 1 ? ROOT : hash(i - 1),
                hash(i),
                Tokens.of(i),
                ByteBuffer.allocate(0),
                "key");
        StoredBlock block = new StoredBlock(header, bytes);
        var _ = blocks.write(store, new BlockKey(FROM, ROOT, hash(i)), block);
        block.release();
        // Without it presence takes a storage for one in which nothing was ever stored.
        var _ = store.putIfAbsent(BlockKey.descriptorName(ROOT), ByteBuffer.wrap(new byte[] {'{', '}'}));
    }

    private static Storage storage(String path) {
        return Storage.newBuilder()
                .setFilesystem(FilesystemStorage.newBuilder().setPath(path))
                .build();
    }

    private static Task.Builder task() {
        return Task.newBuilder()
                .setWarming("w")
                .setClaim(3)
                .setResourceName("acme")
                .setSource(storage("/from"))
                .setBudget(PLENTY);
    }

    /** Blocks 1 to {@code count}, which lie at the source. */
    private void give(int count, Preheat preheat) throws Exception {
        Copying.Builder copying =
                Copying.newBuilder().setTarget(storage("/to")).setChunk(5).setPreheat(preheat);
        ByteString names = ByteString.EMPTY;
        for (int i = 1; i <= count; i++) {
            store(from, i);
            names = names.concat(ROOT.toByteString()).concat(hash(i).toByteString());
            copying.addBytes(STORED_BYTES);
        }
        giver.size = count;
        giver.tasks.add(task().setCopying(copying.setBlocks(names)).build());
        warmer.start();
    }

    private void awaitOutcomes(String outcomes) {
        await().untilAsserted(() -> assertThat(giver.outcomes()).isEqualTo(outcomes));
    }

    @Test
    void everyBlockIsCopiedAndToldOf() throws Exception {
        give(5, Preheat.STORAGE);

        awaitOutcomes("11111");
        assertThat(giver.copied.getLast()).satisfies(report -> {
            assertThat(report.getLease()).isEqualTo("a-lease");
            assertThat(report.getWarming()).isEqualTo("w");
            assertThat(report.getChunk()).isEqualTo(5);
            assertThat(report.getClaim()).isEqualTo(3);
        });
        assertThat(IntStream.rangeClosed(1, 5).allMatch(i -> to.exists(name(i))))
                .isTrue();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void thePartitionKeepsItsName() throws Exception {
        give(1, Preheat.STORAGE);

        awaitOutcomes("1");
        assertThat(to.exists(BlockKey.descriptorName(ROOT))).isTrue();
    }

    @Test
    void whatIsThereIsNotRead() throws Exception {
        store(to, 2);
        AtomicInteger gets = new AtomicInteger();
        beforeFrom = method -> {
            if (method.equals("get")) {
                gets.incrementAndGet();
            }
        };
        give(3, Preheat.STORAGE);

        awaitOutcomes("121");
        assertThat(gets).hasValue(2);
    }

    @Test
    void preheatedBlocksLieInMemory() throws Exception {
        store(to, 1);
        give(3, Preheat.MEMORY);

        awaitOutcomes("211");
        assertThat(IntStream.rangeClosed(1, 3).allMatch(i -> memory.contains(new BlockKey(TO, ROOT, hash(i)))))
                .isTrue();
    }

    @Test
    void preheatingLeavesWhatIsInMemoryThere() throws Exception {
        warmer = warmer(1); // one block at a time, and so in their order
        int room = (int) (memory.budgetBytes() / BlockMemory.padded(STORED_BYTES));
        give(room + 3, Preheat.MEMORY);

        awaitOutcomes("1".repeat(room + 3));
        assertThat(memory.evictions()).isZero();
        assertThat(IntStream.rangeClosed(1, room + 3)
                        .filter(i -> memory.contains(new BlockKey(TO, ROOT, hash(i))))
                        .boxed())
                .as("blocks in memory: the first, as many as there is room for")
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, room).boxed().toList());
    }

    @Test
    void aBlockThatIsGoneOrDamagedFailsAlone() throws Exception {
        for (int i = 1; i <= 4; i++) {
            store(from, i);
        }
        from.lose(name(2));
        from.lose(name(3));
        from.putZeros(name(3), STORED_BYTES);
        giver.size = 4;
        ByteString names = ByteString.EMPTY;
        for (int i = 1; i <= 4; i++) {
            names = names.concat(ROOT.toByteString()).concat(hash(i).toByteString());
        }
        giver.tasks.add(task().setWarming("w2")
                .setCopying(Copying.newBuilder().setTarget(storage("/to")).setBlocks(names))
                .build());
        warmer.start();

        awaitOutcomes("1331");
        assertThat(giver.reasons())
                .hasSize(2)
                .anyMatch(reason -> reason.equals("it is not at the source any more"))
                .anyMatch(reason -> reason.startsWith("damaged at the source: "));
        assertThat(from.exists(name(3))).isTrue();
    }

    @Test
    void storageThatIsAwayIsWaitedFor() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        beforeFrom = method -> {
            if (method.equals("get") && refusals.incrementAndGet() <= 3) {
                throw new StorageException(Kind.UNAVAILABLE, "no route", null);
            }
        };
        beforeTo = method -> {
            if (method.equals("putIfAbsent") && refusals.incrementAndGet() <= 6) {
                throw new StorageException(Kind.THROTTLED, "slow down", null);
            }
        };
        give(4, Preheat.STORAGE);

        awaitOutcomes("1111");
    }

    @Test
    void whileItIsAwayItIsSaidWhatIsWaitedFor() throws Exception {
        beforeFrom = method -> {
            if (method.equals("get")) {
                throw new StorageException(Kind.UNAVAILABLE, "no route", null);
            }
        };
        give(1, Preheat.STORAGE);

        await().untilAsserted(() -> assertThat(giver.copied)
                .extracting(ReportCopiedRequest::getWaiting)
                .contains("source unavailable: no route"));
        beforeFrom = _ -> {};
        awaitOutcomes("1");
    }

    @Test
    void aDestinationThatIsFullIsNotTriedForEachBlock() throws Exception {
        AtomicInteger puts = new AtomicInteger();
        beforeTo = method -> {
            if (method.equals("putIfAbsent")) {
                puts.incrementAndGet();
                throw new StorageException(Kind.FULL, "no room left", null);
            }
        };
        give(200, Preheat.STORAGE);

        awaitOutcomes("3".repeat(200));
        assertThat(giver.reasons())
                .contains("destination full: no room left", "not tried: destination full: no room left");
        assertThat(puts.get()).isLessThanOrEqualTo(2 * Lanes.BLOCKS);
    }

    @Test
    void whatWasDoneWhileNobodyListenedIsToldLater() throws Exception {
        giver.refusal = Status.UNAVAILABLE;
        give(3, Preheat.STORAGE);
        await().until(() -> warmer.copied() == 3);

        giver.refusal = null;

        awaitOutcomes("111");
    }

    @Test
    void whoHasLostItsLeaseGoesOnAndTellsWithTheNext() throws Exception {
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                held.acquireUninterruptibly();
            }
        };
        give(2, Preheat.STORAGE);
        await().until(() -> warmer.tasks() == 1);
        lease = "";
        held.release(2);
        await().until(() -> warmer.copied() == 2);

        lease = "the-next";

        awaitOutcomes("11");
        assertThat(giver.copied.getLast().getLease()).isEqualTo("the-next");
    }

    @Test
    void aClaimThatIsOverIsLeftAlone() throws Exception {
        giver.size = 0;
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                held.acquireUninterruptibly();
            }
        };
        give(2, Preheat.STORAGE);
        giver.size = 0; // an empty report ends it

        await().until(() -> !giver.copied.isEmpty());
        held.release(2);
        await().until(() -> warmer.tasks() == 0);
    }

    @Test
    void noMoreBlocksAreUnderWayThanThereIsRoomFor() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                held.acquireUninterruptibly();
                now.decrementAndGet();
            }
        };
        give(100, Preheat.STORAGE);

        await().until(() -> now.get() == Lanes.BLOCKS);
        held.release(1_000);
        awaitOutcomes("1".repeat(100));
        assertThat(most).hasValue(Lanes.BLOCKS);
    }

    @Test
    void whileClientsNeedAllThereIsNoneIsBegun() throws Exception {
        busy = true;
        give(2, Preheat.STORAGE);

        await().until(() -> giver.copied.size() >= 2);
        assertThat(warmer.copied()).isZero();
        busy = false;
        awaitOutcomes("11");
    }

    @Test
    void whoStopsGivesBackWhatIsNotDone() throws Exception {
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                try {
                    held.acquire();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new StorageException(Kind.UNAVAILABLE, "interrupted", e);
                }
            }
        };
        give(2, Preheat.STORAGE);
        held.release();
        await().until(() -> warmer.copied() == 1);

        warmer.close();

        assertThat(giver.copied.getLast().getGivenBack()).isTrue();
    }

    @Test
    void aListingTellsOfBlocksAloneWithTheirTimesPageByPage() throws Exception {
        for (int i = 1; i <= 3; i++) {
            store(from, i);
        }
        var _ = from.putIfAbsent("kv/v1/" + ROOT.hex() + "/presence/log", ByteBuffer.wrap(new byte[1]));
        // Named as a block is, and none: elsewhere than a block would be, empty, and longer than any.
        String folder = "kv/v1/" + ROOT.hex() + "/ff/";
        from.putZeros(folder + "00" + "f".repeat(62), 1);
        from.putZeros(folder + "ff" + "e".repeat(62), 0);
        from.putZeros(folder + "ff" + "f".repeat(62), BlockStore.MAX_BLOB_BYTES + 1);
        giver.tasks.add(task().setListing(Listing.newBuilder().setRoot(ROOT.toByteString()))
                .build());
        warmer.start();

        await().until(() -> giver.listed.size() == 1);
        assertThat(giver.listed.getFirst()).satisfies(report -> {
            assertThat(report.getBlocks().size()).isEqualTo(3 * 64);
            assertThat(report.getBytesList()).containsOnly(STORED_BYTES);
            assertThat(report.getRanksList()).allMatch(rank -> rank > 1_600_000_000_000L);
            assertThat(report.getLast()).isTrue();
        });
    }

    @Test
    void aPrefixIsFoundFromItsLastBlockToItsFirst() throws Exception {
        int blocks = 70;
        for (int i = 1; i <= blocks; i++) {
            store(from, i);
        }
        giver.tasks.add(prefix(blocks - 1));
        warmer.start();

        await().until(() -> !giver.listed.isEmpty() && giver.listed.getLast().getLast());
        List<Long> ranks = giver.listed.stream()
                .flatMap(report -> report.getRanksList().stream())
                .toList();
        assertThat(ranks).hasSize(blocks - 1).isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(giver.listed.get(1).getFrom())
                .isEqualTo(giver.listed.getFirst().getCursor());
        ByteString last = giver.listed.getLast().getBlocks();
        assertThat(BlockHash.of(last.substring(last.size() - 32))).isEqualTo(hash(1));
    }

    @Test
    void aPrefixThatIsNotThereEndsItsListing() throws Exception {
        giver.tasks.add(prefix(1));
        warmer.start();

        await().until(() -> giver.listed.size() == 1);
        assertThat(giver.listed.getFirst().getFlaw())
                .isEqualTo("block " + hash(1).hex() + " of the prefix is not at the source");
    }

    private static Task prefix(int block) {
        return task().setListing(Listing.newBuilder()
                        .setRoot(ROOT.toByteString())
                        .setLastHash(hash(block).toByteString()))
                .build();
    }
}
