package dev.kvstore.client;

import static dev.kvstore.client.ScriptedControlPlane.level;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Target;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client and a control plane that says where to go. */
class DiscoveryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String UNUSED = "127.0.0.1:1";

    // A process has half of this to answer a health check: enough on a busy machine.
    private static final Duration STALL = Duration.ofSeconds(4);

    private final ScriptedControlPlane control = new ScriptedControlPlane();
    private final ScriptedServer first = new ScriptedServer(new StoringScript());
    private final ScriptedServer second = new ScriptedServer(new StoringScript());

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        control.close();
        first.close();
        second.close();
    }

    @Test
    void theControlPlaneIsAskedWithTheResourceAndTheRegionAndItsProcessesAreUsed() {
        control.say(level("west", 1000, first));
        try (KvClient client = client(control.address())) {
            lookup(client, "a");
            assertThat(first.credentials()).hasSize(1);
            assertThat(control.requests()).singleElement().satisfies(request -> {
                assertThat(request.getResourceName()).isEqualTo("demo");
                assertThat(request.getRegion()).isEqualTo("west");
            });
            assertThat(client.counters().routeVersion()).isEqualTo("1");
        }
    }

    @Test
    void theFirstOperationWaitsForTheFirstRoute() {
        try (KvClient client = client(control.address())) {
            CompletableFuture<Void> lookup =
                    CompletableFuture.runAsync(() -> lookup(client, "a"), Thread::startVirtualThread);
            await().atMost(PATIENCE).until(() -> !control.requests().isEmpty());
            assertThat(lookup).isNotDone();
            control.say(level("west", 1000, first));
            assertThat(lookup).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void anOperationThatHasNoRouteInTimeSaysWhatItWaitedFor() {
        try (KvClient client = client(UNUSED)) {
            assertThatThrownBy(() -> client.lookup(
                            SdkBlocks.PARTITION,
                            SdkBlocks.chain(1),
                            CallOptions.DEFAULT.withDeadline(Duration.ofMillis(700))))
                    .hasMessageContaining("DEADLINE_EXCEEDED: there was no route in time")
                    .hasMessageContaining("control plane " + UNUSED);
        }
    }

    @Test
    void anAddressWhereNothingListensIsSaidLongBeforeTheDeadline() {
        try (KvClient client = client(UNUSED)) {
            assertThatThrownBy(() -> client.lookup(
                            SdkBlocks.PARTITION,
                            SdkBlocks.chain(1),
                            CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20))))
                    .isInstanceOfSatisfying(
                            KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                    .hasMessageContaining("nothing listens at " + UNUSED);
        }
    }

    @Test
    void aRefusalOfTheControlPlaneIsTheOperationsFailure() {
        control.refuse(Status.PERMISSION_DENIED.withDescription("resource \"demo\" is unknown or not granted"));
        try (KvClient client = client(control.address())) {
            assertThatThrownBy(() -> lookup(client, "a")).isInstanceOfSatisfying(KvStoreException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
                assertThat(e).hasMessageContaining("control plane").hasMessageContaining("not granted");
            });
        }
    }

    @Test
    void aReplicaThatIsAwayIsPassedOver() {
        control.say(level("west", 1000, first));
        for (int i = 0; i < 4; i++) { // each begins at a random one
            try (KvClient client = client(UNUSED, control.address())) {
                lookup(client, "a");
            }
        }
        assertThat(first.credentials()).hasSize(4);
    }

    @Test
    void aProcessThatLeavesTheRouteGetsNothingNewAndFinishesWhatItHas() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        StoringScript slow = new StoringScript() {
            @Override
            public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
                asked.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.lookup(request, answer);
            }
        };
        try (ScriptedServer leaving = new ScriptedServer(slow);
                KvClient client = client(control.address())) {
            control.say(level("west", 1000, leaving));
            CompletableFuture<Void> lookup =
                    CompletableFuture.runAsync(() -> lookup(client, "a"), Thread::startVirtualThread);
            asked.await();
            control.say(level("west", 1000, first));
            await().atMost(PATIENCE)
                    .until(() -> client.counters().routeVersion().equals("2"));
            lookup(client, "b");
            assertThat(first.credentials()).hasSize(1);
            goOn.countDown();
            assertThat(lookup).succeedsWithin(PATIENCE);
            assertThat(client.counters().retries()).isZero();
        }
    }

    @Test
    void processesThatHaveALoadBalancersAddressInCommonComeAndGoByTheirNames() {
        Target.Builder target = ScriptedControlPlane.target(first, "1").toBuilder();
        Level.Builder level = Level.newBuilder().setRegion("west").setShare(1000);
        Level both = level.addTargets(target.setProcess("p1"))
                .addTargets(target.setProcess("p2"))
                .build();
        control.say(both);
        try (KvClient client = client(control.address())) {
            IntStream.range(0, 20).forEach(i -> lookup(client, "a" + i));
            control.say(both.toBuilder().removeTargets(0).build());
            await().atMost(PATIENCE)
                    .until(() -> client.counters().routeVersion().equals("2"));
            IntStream.range(0, 20).forEach(i -> lookup(client, "b" + i));

            assertThat(first.credentials()).hasSize(40);
            assertThat(client.counters().retries()).isZero();
        }
    }

    @Test
    void theNextRegionServesWhileHomeIsDeadAndNothingFails() {
        control.say(level("west", 1000, first), level("east", 0, second));
        try (KvClient client = client(control.address())) {
            lookup(client, "a");
            assertThat(client.counters().failovers()).isZero();
            first.close();
            IntStream.range(0, 50).forEach(i -> lookup(client, "c" + i));
            assertThat(second.credentials()).hasSize(50);
            assertThat(client.counters().failovers()).isPositive();
            assertThat(client.counters().ejections()).isPositive();
            assertThat(client.counters().level()).isEqualTo(1);
        }
    }

    @Test
    void allThatIsUnderWayAtAProcessThatDiesGoesOnElsewhereThoughTheBudgetIsSmall() {
        int operations = 200;
        CountDownLatch arrived = new CountDownLatch(operations);
        StoringScript silent = new StoringScript() {
            @Override
            public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
                arrived.countDown();
            }
        };
        try (ScriptedServer dying = new ScriptedServer(silent);
                KvClient client = builder(control.address())
                        .retry(new RetryOptions(2, Duration.ofMillis(1), Duration.ofMillis(1), 0, 0))
                        .build()) {
            control.say(level("west", 1000, dying), level("east", 0, first));
            List<CompletableFuture<Prefix>> lookups = IntStream.range(0, operations)
                    .mapToObj(_ -> client.async().lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1)))
                    .toList();
            await().atMost(PATIENCE).until(() -> arrived.getCount() == 0);
            dying.kill();
            assertThat(lookups).allSatisfy(lookup -> assertThat(lookup).succeedsWithin(PATIENCE));
        }
    }

    @Test
    void aProcessThatTakesConnectionsAndNeverAnswersIsLeftByTheStallTimeoutAlone() throws IOException {
        Duration longer = Duration.ofDays(1);
        TransportOptions defaults = TransportOptions.DEFAULT;
        try (ServerSocket frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                KvClient client = builder(control.address())
                        .deadline(longer)
                        .transport(new TransportOptions(
                                defaults.flowControlWindowBytes(),
                                longer,
                                longer,
                                longer,
                                longer,
                                defaults.eventLoopThreads(),
                                defaults.stack()))
                        .serverStallTimeout(STALL)
                        .build()) {
            control.say(level("west", 1000, "127.0.0.1:" + frozen.getLocalPort()), level("east", 0, first));
            assertThat(CompletableFuture.runAsync(() -> lookup(client, "a"), Thread::startVirtualThread))
                    .succeedsWithin(PATIENCE);
            assertThat(client.counters().ejections()).isEqualTo(1);
        }
    }

    @Test
    void aStreamFromAProcessThatFreezesGoesOnElsewhereWhereItWas() {
        var chain = SdkBlocks.chain(6);
        StoringScript freezing = new StoringScript() {
            @Override
            void send(
                    int index,
                    dev.kvstore.protocol.v1.@Nullable PromptChunk chunk,
                    int partBytes,
                    StreamObserver<StreamingReadResponse> answer) {
                if (index < 3) {
                    super.send(index, chunk, partBytes, answer);
                }
            }

            @Override
            void end(StreamObserver<?> answer) {}
        };
        StoringScript whole = new StoringScript(freezing.blocks);
        for (int i = 0; i < chain.size(); i++) {
            freezing.blocks.put(WireNames.field(chain.hash(i)), SdkBlocks.chunk(chain, i, 10_000));
        }
        try (ScriptedServer frozen = ScriptedServer.deaf(freezing);
                ScriptedServer well = new ScriptedServer(whole);
                KvClient client =
                        builder(control.address()).serverStallTimeout(STALL).build()) {
            control.say(level("west", 1000, frozen), level("east", 0, well));
            int blocks = 0;
            try (BlockStream stream = client.read(chain)) {
                for (BlockResult result : stream) {
                    assertThat(SdkBlocks.bytes(((BlockResult.Found) result).block()))
                            .hasSize(10_000);
                    blocks++;
                }
            }
            assertThat(blocks).isEqualTo(6);
            assertThat(client.counters().retries()).isEqualTo(1);
        }
    }

    @Test
    void aProcessThatIsSlowButAnswersWhenAskedForItsHealthIsWaitedFor() {
        CountDownLatch asked = new CountDownLatch(3); // also after the stall timeout
        StoringScript slow = new StoringScript() {
            @Override
            public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
                Thread.startVirtualThread(() -> {
                    try {
                        asked.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    super.lookup(request, answer);
                });
            }
        };
        try (ScriptedServer server = ScriptedServer.healthy(slow, asked::countDown);
                KvClient client =
                        builder(control.address()).serverStallTimeout(STALL).build()) {
            control.say(level("west", 1000, server), level("east", 0, first));
            lookup(client, "a");
            assertThat(asked.getCount()).as("health checks that did not come").isZero();
            assertThat(client.counters().retries()).isZero();
        }
    }

    @Test
    void theLastRouteServesAStartWithoutTheControlPlane() {
        String address = control.address();
        control.say(level("west", 1000, first));
        try (KvClient client = client(address)) {
            lookup(client, "a");
            await().atMost(PATIENCE).until(() -> keptRoutes() > 0);
        }
        control.close();
        try (KvClient client = client(address)) {
            lookup(client, "b");
        }
        assertThat(first.credentials()).hasSize(2);
    }

    @Test
    void aFolderThatCannotBeWrittenIsNoError() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        control.say(level("west", 1000, first));
        try (KvClient client =
                builder(control.address()).routeCache(file.resolve("routes")).build()) {
            lookup(client, "a");
        }
    }

    @Test
    void aRouteThatIsEmptiedLeavesTheProcessesThatWereThere() {
        control.say(level("west", 1000, first));
        try (KvClient client = client(control.address())) {
            lookup(client, "a");
            control.say();
            control.say(level("west", 1000, first), level("east", 0, second));
            await().atMost(PATIENCE)
                    .until(() -> client.counters().routeVersion().equals("3"));
            lookup(client, "b");
        }
    }

    @Test
    void whereNothingServesAnOperationIsToldSo() {
        control.say();
        try (KvClient client = client(control.address())) {
            assertThatThrownBy(() -> lookup(client, "a")).hasMessageContaining("UNAVAILABLE: no process serves");
        }
    }

    @Test
    void aProcessAtAHostThatTheClientDoesNotTrustIsNotShownTheKey() {
        control.say(level("west", 1000, first));
        try (KvClient client =
                builder(control.address()).routedHosts("*.kv.example.com").build()) {
            assertThatThrownBy(() -> lookup(client, "a"))
                    .hasMessageContaining("UNAVAILABLE: none of the 1 processes of the route is at a host that this")
                    .hasMessageContaining("routedHosts are *.kv.example.com");
        }
        assertThat(first.credentials()).isEmpty();
    }

    @Test
    void oneAtAnotherHostIsLeftOutAndTheOthersServe() {
        String port = second.endpoint().substring(second.endpoint().lastIndexOf(':'));
        control.say(level("west", 1000, first), level("east", 0, "localhost" + port));
        try (KvClient client =
                builder(control.address()).routedHosts("127.0.0.0/8").build()) {
            lookup(client, "a");
            first.close();
            assertThatThrownBy(() -> lookup(client, "b")).hasMessageContaining("UNAVAILABLE");
        }
        assertThat(second.credentials()).isEmpty();
    }

    private long keptRoutes() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".route")).count();
        }
    }

    private static void lookup(KvClient client, String conversation) {
        client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1), CallOptions.DEFAULT.withAffinity(conversation));
    }

    private KvClient client(String... controlPlane) {
        return builder(controlPlane).build();
    }

    private KvClientBuilder builder(String... controlPlane) {
        return KvClient.builder()
                .controlPlane(controlPlane)
                .region("west")
                .apiKey("kv_test")
                .resource("demo")
                .connectionsPerEndpoint(1)
                .routeCache(folder);
    }
}
