package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.server.DataPlaneFixture.key;
import static dev.kvstore.dataplane.server.DataPlaneFixture.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tenant with a good key takes all it can, and another tenant's calls all succeed. */
@Tag("slow")
final class TenantSharesTest {
    private static final String WRITE_METHOD = "kvstore.v1.KVStoreService/Write";
    private static final String HOSTILE = "hostile";
    private static final String HONEST = "honest";
    private static final int SLOTS = 80;

    private final Map<String, MemoryStore> stores =
            Map.of("/storage/of/" + HOSTILE, new MemoryStore(), "/storage/of/" + HONEST, new MemoryStore());
    private final DataPlaneFixture server = new DataPlaneFixture(
            new InMemoryAccountResolver(List.of(tenant(HOSTILE), tenant(HONEST))),
            location -> stores.entrySet().stream()
                    .filter(store -> location.toString().contains(store.getKey()))
                    .findFirst()
                    .orElseThrow()
                    .getValue(),
            Map.of(
                    "max-operations",
                    Integer.toString(SLOTS),
                    "memory-tier-size",
                    "8M",
                    "transfer-memory",
                    "100M",
                    "memory-wait-timeout",
                    "2s",
                    "inbound-memory",
                    "160M"));
    private final List<Runnable> endings = new ArrayList<>();

    @AfterEach
    void close() {
        endings.forEach(Runnable::run);
        try {
            Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> {
                assertThat(server.inboundBytes()).isZero();
                assertThat(server.admission().blocks().running()).isZero();
                assertThat(server.transferBytes()).isZero();
            });
        } finally {
            server.close();
        }
    }

    /** Half messages come faster than they stop to count as running: all slots stay taken. */
    private void floodOfHalfMessages() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch full = new CountDownLatch(1);
        Thread attack = Thread.startVirtualThread(() -> {
            while (!over.get()) {
                try (RawClientConnection connection = new RawClientConnection(server.port())) {
                    for (int stream = 1; stream < 200 && !over.get(); stream += 2) {
                        connection.call(stream, WRITE_METHOD, key(HOSTILE));
                        connection.halfMessage(stream, 1 << 20, 1000);
                    }
                    connection.settle();
                    if (server.admission().blocks().running() >= SLOTS) {
                        full.countDown();
                    }
                }
            }
        });
        endings.add(() -> {
            over.set(true);
            try {
                attack.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(full.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void honestCalls(int count) {
        for (int i = 0; i < count; i++) {
            PromptChunk chunk = TestChains.first(TestChains.buffer(1000, i), i);
            assertThatCode(() -> server.stub(key(HONEST)).write(TestChains.write(HONEST, chunk)))
                    .as("an honest tenant's call " + i)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void halfSentMessagesWithAGoodKeyTakeNoSlotOfAnotherTenant() throws InterruptedException {
        floodOfHalfMessages();

        honestCalls(200);

        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.OPERATIONS))
                .as("calls of the hostile tenant that were refused")
                .isPositive();
    }

    private List<ByteString> written(String tenant, int blocks, int bytes) {
        List<ByteString> locations = new ArrayList<>();
        for (int i = 0; i < blocks; i++) {
            PromptChunk chunk = TestChains.first(TestChains.buffer(bytes, i), i);
            locations.add(server.stub(key(tenant))
                    .write(TestChains.write(tenant, chunk))
                    .getLocation());
        }
        return locations;
    }

    /** Asks for blocks and takes next to nothing of them. */
    private void askAndTakeNothing(ManagedChannel channel, List<ByteString> locations) {
        server.asyncStub(channel, key(HOSTILE))
                .streamingRead(new ClientResponseObserver<StreamingReadRequest, StreamingReadResponse>() {
                    @Override
                    public void beforeStart(ClientCallStreamObserver<StreamingReadRequest> requests) {
                        requests.disableAutoRequestWithInitial(0);
                    }

                    @Override
                    public void onNext(StreamingReadResponse answer) {}

                    @Override
                    public void onError(Throwable failure) {}

                    @Override
                    public void onCompleted() {}
                })
                .onNext(StreamingReadRequest.newBuilder()
                        .setResourceName(HOSTILE)
                        .addAllLocations(locations)
                        .build());
    }

    @Test
    void readsThatNobodyTakesLeaveMemoryForAnotherTenant() {
        List<ByteString> locations = written(HOSTILE, 150, 1_000_000);
        ManagedChannel channel = server.narrowChannel();
        endings.add(channel::shutdownNow);
        for (int stream = 0; stream < 75; stream++) {
            askAndTakeNothing(channel, locations.subList(2 * stream, 2 * stream + 2));
        }
        Awaitility.await().atMost(Patience.LIMIT).until(() -> server.transferBytes() > 60 << 20);

        for (int i = 0; i < 10; i++) {
            PromptChunk chunk = TestChains.first(TestChains.buffer(4_000_000, i), i);
            assertThatCode(() -> {
                        ByteString location = server.stub(key(HONEST))
                                .write(TestChains.write(HONEST, chunk))
                                .getLocation();
                        server.stub(key(HONEST))
                                .read(ReadRequest.newBuilder()
                                        .setResourceName(HONEST)
                                        .setLocation(location)
                                        .build());
                    })
                    .as("an honest tenant's block " + i)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aScanOfColdBlocksPushesOutNothingOfAnotherTenantsShare() {
        List<ByteString> cold = written(HOSTILE, 40, 1_000_000);
        List<ByteString> warm = written(HONEST, 3, 1_000_000);

        for (ByteString location : cold) {
            server.stub(key(HOSTILE))
                    .read(ReadRequest.newBuilder()
                            .setResourceName(HOSTILE)
                            .setLocation(location)
                            .build());
        }

        StorageLocation storage = tenant(HONEST).accounts().getFirst().storage();
        assertThat(warm)
                .allMatch(location -> server.tier().contains(BlockKey.of(storage, WireNames.location(location))));
        assertThat(server.tier().owners()).isEqualTo(2);
    }
}
