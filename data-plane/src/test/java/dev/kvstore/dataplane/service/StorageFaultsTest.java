package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.azure.AzureContainer;
import dev.kvstore.dataplane.storage.azure.AzureStores;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.dataplane.storage.azure.StorageCredential;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.testing.Fault;
import dev.kvstore.testing.FaultProxy;
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our SDK, data planes and Azurite, with a proxy before the latter that spoils one request in twenty. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class StorageFaultsTest {
    private static final int BLOCKS = 80;
    private static final int BLOCK_BYTES = 150_000;
    private static final int BLOCK_TOKENS = 128;
    private static final int WRITERS = 40;
    private static final long SEED = 42;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final CallOptions IN_TIME = CallOptions.DEFAULT.withDeadline(DEADLINE);

    // Less than any limit of the data plane (20 s of silence, 30 s for a try), and so waited for.
    private static final Duration STALL = Duration.ofSeconds(2);

    private static final Partition PARTITION = Partition.of("faults");
    private static final BlockChain CHAIN = BlockChain.of(PARTITION, tokens(0, BLOCKS * BLOCK_TOKENS));

    private final Set<Thread> threadsBefore = storageThreads();
    private FaultProxy proxy;
    private double faultless;

    @BeforeAll
    void countWithoutFaults() throws Exception {
        proxy = new FaultProxy(SharedAzurite.endpoint(), SEED, STALL);
        FaultyRun run = run(Fault.NONE);
        assertThat(run.failed()).isZero();
        assertThat(run.requests()).as("a request a call").isEqualTo(run.calls());
        faultless = run.calls();
    }

    @AfterAll
    void stopProxy() throws Exception {
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyCallEndsInTimeWithTheRightBytesOrAStatus(Fault fault) throws Exception {
        FaultyRun run = run(fault);

        assertThat(proxy.injected(fault)).as("faults injected").isPositive();
        assertThat(run.calls()).as("calls to storage").isLessThanOrEqualTo(1.2 * faultless);
        // Each is retried at most twice; that three in a row are spoilt is one in 8000.
        assertThat(run.failed()).as("calls and items that failed").isLessThanOrEqualTo(2);
        assertThat(run.requests() - run.calls())
                .as("what Azure's SDK sent again")
                .isLessThanOrEqualTo(fault == Fault.LATENCY || fault == Fault.STALL ? 0 : proxy.injected(fault));
    }

    /**
     * The calls that it took to write all blocks through one data plane, and to look up and read them through another.
     */
    private record FaultyRun(double calls, double requests, int failed) {}

    private FaultyRun run(Fault fault) throws Exception {
        proxy.inject(Fault.NONE);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        AzureContainer container = new AzureContainer(
                proxy.endpoint(),
                SharedAzurite.newContainerName(),
                new StorageCredential.ConnectionString(SharedAzurite.connectionString()),
                true);
        FaultyRun run;
        try (AzureStores stores = new AzureStores(Outbound.DEFAULT, meters);
                DataPlaneFixture first = dataPlane(stores, container, meters);
                DataPlaneFixture second = dataPlane(stores, container, meters)) {
            stores.open(container).close();
            proxy.inject(fault);
            double before = count(meters, "kvstore.storage.requests");
            int failed = write(first) + read(second);
            double requests = count(meters, "kvstore.storage.requests") - before;
            assertNothingHeld(meters, first, second);
            await().untilAsserted(
                            () -> assertThat(connections(meters, "active")).isZero());
            run = new FaultyRun(count(meters, "kvstore.storage.calls"), requests, failed);
        }
        proxy.inject(Fault.NONE);
        await().untilAsserted(() -> assertThat(proxy.connections()).isZero());
        await().untilAsserted(() -> assertThat(threadsBefore).containsAll(storageThreads()));
        return run;
    }

    private static int write(DataPlaneFixture dataPlane) throws Exception {
        try (KvClient client = client(dataPlane);
                ExecutorService writers =
                        Executors.newFixedThreadPool(WRITERS, Thread.ofVirtual().factory())) {
            // One first: else each of the writers that begin together would describe the partition, and so many more
            // calls are made.
            int failed = write(client, 0);
            List<Future<Integer>> writes = IntStream.range(1, BLOCKS)
                    .mapToObj(i -> writers.submit(() -> write(client, i)))
                    .toList();
            for (Future<Integer> write : writes) {
                failed += write.get();
            }
            return failed;
        }
    }

    private static int write(KvClient client, int block) {
        NewBlock content = NewBlock.of(CHAIN, block, tokens(block * BLOCK_TOKENS, BLOCK_TOKENS), content(block));
        return failures(() -> client.write(PARTITION, content, IN_TIME));
    }

    private static int read(DataPlaneFixture dataPlane) {
        int failed = 0;
        try (KvClient client = client(dataPlane)) {
            failed += failures(
                    () -> assertThat(client.lookup(PARTITION, CHAIN, IN_TIME).cachedBlocks())
                            .isLessThanOrEqualTo(BLOCKS));
            try (BlockStream stream = client.read(CHAIN, IN_TIME)) {
                for (BlockResult result : stream) {
                    failed += switch (result) {
                        case BlockResult.Found found -> {
                            try (Block block = found.block()) {
                                ByteBuffer bytes = ByteBuffer.allocate(block.length());
                                block.copyTo(bytes);
                                assertThat(bytes.flip().mismatch(content(block.index())))
                                        .as("first byte that differs")
                                        .isEqualTo(-1);
                            }
                            yield 0;
                        }
                        case BlockResult.Missing _ -> 1;
                        case BlockResult.Failed item -> {
                            assertProper(item.reason());
                            yield 1;
                        }
                    };
                }
            }
        }
        return failed;
    }

    /** 1 if a call fails as it may when storage does. */
    private static int failures(Runnable call) {
        try {
            call.run();
            return 0;
        } catch (KvStoreException e) {
            assertProper(e);
            return 1;
        }
    }

    /** A call that does not end in time fails with DEADLINE_EXCEEDED, which is neither of these. */
    private static void assertProper(KvStoreException e) {
        assertThat(e.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.RESOURCE_EXHAUSTED);
    }

    private static void assertNothingHeld(SimpleMeterRegistry meters, DataPlaneFixture... dataPlanes) {
        for (DataPlaneFixture dataPlane : dataPlanes) {
            await().untilAsserted(() -> {
                assertThat(dataPlane.transferBytes()).isZero();
                assertThat(dataPlane.inboundBytes()).isZero();
            });
        }
        assertThat(pendingRequests(meters)).isZero();
    }

    private static DataPlaneFixture dataPlane(
            AzureStores stores, AzureContainer container, SimpleMeterRegistry meters) {
        return new DataPlaneFixture(
                new StorageLocation.Azure(
                        container.endpoint(),
                        container.name(),
                        new CredentialReference.EnvironmentVariable("TEST"),
                        true),
                _ -> new MeteredStore(
                        stores.open(new AzureContainer(container.endpoint(), container.name(), container.credential())),
                        meters));
    }

    private static KvClient client(DataPlaneFixture dataPlane) {
        return KvClient.builder()
                .endpoints("127.0.0.1:" + dataPlane.port())
                .apiKey(DataPlaneFixture.KEY)
                .resource(DataPlaneFixture.RESOURCE)
                .build();
    }

    private static Tokens tokens(int from, int count) {
        return Tokens.of(IntStream.range(from, from + count).toArray());
    }

    private static ByteBuffer content(int index) {
        return StoredContents.random(index, BLOCK_BYTES);
    }

    private static double count(SimpleMeterRegistry meters, String name) {
        return meters.find(name).counters().stream().mapToDouble(Counter::count).sum();
    }

    private static double connections(SimpleMeterRegistry meters, String state) {
        return meters.find("kvstore.storage.connections").tag("state", state).gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    private static double pendingRequests(SimpleMeterRegistry meters) {
        return meters.find("kvstore.storage.pending.requests").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    private static Set<Thread> storageThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("storage-io"))
                .collect(Collectors.toSet());
    }
}
