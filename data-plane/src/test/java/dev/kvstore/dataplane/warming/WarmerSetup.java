package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.block.PartitionDescriptor;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.control.v1.Budget;
import dev.kvstore.protocol.control.v1.ClaimRequest;
import dev.kvstore.protocol.control.v1.ClaimResponse;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Copying.Preheat;
import dev.kvstore.protocol.control.v1.Failure;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportListedResponse;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A warmer between two stores, and the control plane that gives it work. */
abstract class WarmerSetup {
    private static final Partition PARTITION = Partition.of("model/rev1/fp16");
    static final BlockHash ROOT = PARTITION.root();
    static final StorageLocation FROM = new StorageLocation.Filesystem(Path.of("/from"));
    static final StorageLocation TO = new StorageLocation.Filesystem(Path.of("/to"));
    static final int BUFFER_BYTES = 1_000;
    static final int STORED_BYTES = BlockHeader.PAGE_BYTES + BUFFER_BYTES;
    static final Budget PLENTY = Budget.newBuilder()
            .setBytesPerSecond(1L << 40)
            .setRequestsPerSecond(1_000_000)
            .build();

    /** Gives out tasks and hears what becomes of them, over the real protocol on loopback. */
    static final class Giver extends WarmingServiceGrpc.WarmingServiceImplBase {
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

        /** The outcome of each block, in their order: COPIED, PRESENT, FAILED. */
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

    /** An action of a storage before each operation on a block. */
    interface StorageHook {
        void call(String method) throws StorageException;
    }

    final Giver giver = new Giver();
    final MemoryStore from = new MemoryStore();
    final MemoryStore to = new MemoryStore();
    volatile StorageHook beforeFrom = _ -> {};
    volatile StorageHook beforeTo = _ -> {};
    final MemoryPool pool = new MemoryPool(16 << 20, Duration.ofSeconds(1));
    final VerifiedBlocks blocks = new VerifiedBlocks(pool);
    final MemoryTier memory = new MemoryTier(1 << 20, (_, _) -> {});
    final Tiers tiers = new Tiers(memory, DiskTier.none(pool), Runnable::run);
    final Server server;
    final ControlPlaneReplicas plane;
    final Warmer.WarmerDependencies means;
    Warmer warmer;
    volatile boolean busy;
    volatile String lease = "a-lease";

    WarmerSetup() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(giver)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        plane = new ControlPlaneReplicas(
                List.of(new ControlPlaneReplica("127.0.0.1", server.getPort())),
                _ -> null,
                new JoinToken("join-token-of-a-test"));
        StoreCache stores = new StoreCache(
                location -> location.equals(FROM) ? faulty(from, true) : faulty(to, false), Ticker.systemTicker());
        Presence presence = new Presence(
                tiers,
                pool,
                new Presence.PresenceCapacity(10_000, 1 << 20),
                "node",
                Ticker.systemTicker(),
                new SplittableRandom(1),
                Executors.newVirtualThreadPerTaskExecutor(),
                new SimpleMeterRegistry(),
                Announcements.NONE);
        means = new Warmer.WarmerDependencies(
                stores,
                blocks,
                presence,
                tiers,
                pool,
                new VerifiedBlockImporter(blocks, presence, pool),
                AddedLatency.NONE);
        warmer = warmer(1 << 20);
    }

    /** One that copies so many bytes at a time. */
    Warmer warmer(long bytes) {
        return new Warmer(plane, () -> lease, means, new Warmed(), bytes, () -> busy, () -> false);
    }

    BlockStore faulty(BlockStore store, boolean source) {
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

    static BlockHash hash(int i) {
        return new BlockHash(i, 2, 3, i);
    }

    static String name(int i) {
        return new BlockKey(FROM, ROOT, hash(i)).blobName();
    }

    void store(MemoryStore store, int i) throws Exception {
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
        var _ = store.putIfAbsent(BlockNames.descriptor(ROOT), PartitionDescriptor.encode(PARTITION));
    }

    static Storage storage(String path) {
        return Storage.newBuilder()
                .setFilesystem(FilesystemStorage.newBuilder().setPath(path))
                .build();
    }

    static Task.Builder task() {
        return Task.newBuilder()
                .setWarming("w")
                .setClaim(3)
                .setResourceName("acme")
                .setSource(storage("/from"))
                .setBudget(PLENTY);
    }

    /** Blocks 1 to {@code count}, which lie at the source. */
    void give(int count, Preheat preheat) throws Exception {
        Copying.Builder copying =
                Copying.newBuilder().setTarget(storage("/to")).setChunk(5).setPreheat(preheat);
        ByteString names = ByteString.EMPTY;
        for (int i = 1; i <= count; i++) {
            store(from, i);
            names = names.concat(WireNames.field(ROOT)).concat(WireNames.field(hash(i)));
            copying.addBytes(STORED_BYTES);
        }
        giver.size = count;
        giver.tasks.add(task().setCopying(copying.setBlocks(names)).build());
        warmer.start();
    }

    void awaitOutcomes(String outcomes) {
        await().untilAsserted(() -> assertThat(giver.outcomes()).isEqualTo(outcomes));
    }
}
