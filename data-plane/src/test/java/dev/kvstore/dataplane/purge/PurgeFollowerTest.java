package dev.kvstore.dataplane.purge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.SomeBlocks;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.control.v1.ClaimDeletionRequest;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.FollowRequest;
import dev.kvstore.protocol.control.v1.FollowResponse;
import dev.kvstore.protocol.control.v1.Purge;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.Purged;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.purge.StorageDigest;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a data plane follows purges, and acknowledges them. */
final class PurgeFollowerTest {
    /** Tells of purges and hears what is done, over the real protocol on loopback. */
    private static final class PurgeTeller extends PurgeServiceGrpc.PurgeServiceImplBase {
        final List<Purge> purges = new CopyOnWriteArrayList<>();
        volatile boolean unknown;
        final List<Long> done = new CopyOnWriteArrayList<>();

        @Override
        public void follow(FollowRequest request, StreamObserver<FollowResponse> caller) {
            if (unknown) {
                super.follow(request, caller);
                return;
            }
            done.add(request.getSince());
            List<Purge> news = purges.stream()
                    .filter(purge -> purge.getVersion() > request.getSince())
                    .toList();
            // One at a time.
            caller.onNext(FollowResponse.newBuilder()
                    .addAllPurges(news.stream().limit(1).toList())
                    .setMore(news.size() > 1)
                    .build());
            caller.onCompleted();
        }
    }

    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = new BlockKey(
            new StorageLocation.Filesystem(Path.of("/somewhere")),
            some.key(1).root(),
            some.key(1).hash());
    private final MemoryStore store = new MemoryStore();
    private final PurgeTeller teller = new PurgeTeller();
    private final PurgeRules rules = new PurgeRules(false);
    private final Tiers tiers =
            new Tiers(new MemoryTier(1 << 20, (_, _) -> {}), DiskTier.none(some.pool()), rules, Runnable::run);
    private final Presence presence = new Presence(
            tiers,
            some.pool(),
            new Presence.PresenceCapacity(1_000, 1 << 20),
            "node",
            Ticker.systemTicker(),
            new SplittableRandom(1),
            Runnable::run,
            new SimpleMeterRegistry(),
            Announcements.NONE);
    private final Server server;
    private final ControlPlaneReplicas plane;
    private final PurgeFollower follower;
    private String lease = "a-lease";

    PurgeFollowerTest() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(teller)
                .build()
                .start();
        plane = new ControlPlaneReplicas(
                List.of(new ControlPlaneReplica("127.0.0.1", server.getPort())),
                _ -> null,
                new JoinToken("join-token-of-a-test"));
        follower = new PurgeFollower(plane, () -> lease, rules, presence);
        connect();
    }

    /** A follower gives up a question after seconds, in which a JVM that has just started may make no connection. */
    private void connect() {
        try {
            plane.ask(
                    PurgeServiceGrpc::newFutureStub,
                    stub -> stub.claimDeletion(ClaimDeletionRequest.getDefaultInstance()),
                    Patience.LIMIT);
        } catch (StatusException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void everyByteIsGivenBack() {
        plane.close();
        server.shutdownNow();
        tiers.close();
        assertThat(some.usedBytes()).isZero();
    }

    private Purge purge(String id, long version, Purge.State state) {
        return Purge.newBuilder()
                .setId(id)
                .setVersion(version)
                .setState(state)
                // As the control plane makes it: whether it is the same is part of the test.
                .addPlaces(StorageDigest.of(Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath("/somewhere"))
                        .build()))
                .setWhat(Purged.newBuilder().setRoot(WireNames.field(key.root())))
                .build();
    }

    /** Follows for as long as it is to be asked again at once. */
    private void follow() throws InterruptedException {
        boolean atOnce = true;
        while (atOnce) {
            atOnce = follower.follow();
        }
    }

    private void keep() throws MemoryExhaustedException {
        StoredBlock block = some.block(1);
        tiers.keep(key, block, tiers.now(key));
        block.release();
    }

    @Test
    void itKnowsAllOnceItWasToldAllAndNotBefore() throws Exception {
        teller.purges.add(purge("p", 3, Purge.State.OVER));
        teller.purges.add(purge("q", 5, Purge.State.RUNNING));

        assertThat(follower.follow()).isTrue();
        assertThat(rules.isKnown()).isFalse();
        assertThat(follower.follow()).isTrue();

        assertThat(rules.isKnown()).isTrue();
        assertThat(rules.size()).isEqualTo(2);
        assertThat(teller.done).containsExactly(0L, 3L);
    }

    @Test
    void whatItHasHeardItConfirmsAtOnce() throws Exception {
        teller.purges.add(purge("p", 3, Purge.State.OVER));

        assertThat(follower.follow()).as("to be called again").isTrue();
        assertThat(follower.follow()).isFalse();

        assertThat(teller.done).containsExactly(0L, 3L);
    }

    @Test
    void thatThereAreNoneIsKnownToo() throws Exception {
        assertThat(follower.follow()).isFalse();

        assertThat(rules.isKnown()).isTrue();
    }

    @Test
    void aControlPlaneOfAnOlderVersionHasNone() throws Exception {
        teller.unknown = true;

        assertThat(follower.follow()).isFalse();

        assertThat(rules.isKnown()).isTrue();
    }

    @Test
    void whoHasNoLeaseKnowsNothing() throws Exception {
        lease = "";

        assertThat(follower.follow()).isFalse();

        assertThat(rules.isKnown()).isFalse();
        assertThat(teller.done).isEmpty();
    }

    @Test
    void whatIsToBeForgottenIsForgottenWhenItSaysSo() throws Exception {
        follow();
        keep();
        presence.found(key, 1, presence.asked(key));
        teller.purges.add(purge("p", 1, Purge.State.RUNNING));
        follow();
        assertThat(tiers.isResident(key)).isTrue();
        assertThat(presence.isStored(key, store)).isTrue();

        teller.purges.set(0, purge("p", 2, Purge.State.FORGETTING));
        follow();

        assertThat(tiers.isResident(key)).isFalse();
        assertThat(presence.isStored(key, store)).isFalse();
        follow();
        assertThat(teller.done).containsExactly(0L, 0L, 1L, 1L, 2L, 2L);
    }

    @Test
    void thatABlockWasThereBeforeItWasPurgedIsNotKept() throws Exception {
        follow();
        // The partition is known, the block was seen, and that is forgotten.
        assertThat(presence.isStored(key, store)).isFalse();
        var _ = store.putIfAbsent(key.blobName(), ByteBuffer.wrap(new byte[] {1}));
        presence.found(key, 1, presence.asked(key));
        teller.purges.add(purge("o", 1, Purge.State.FORGETTING));
        follow();
        teller.purges.add(purge("p", 2, Purge.State.FORGETTING));
        BlockStore slow = (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    if (method.getName().equals("exists") && arguments[0].equals(key.blobName())) {
                        follow();
                    }
                    return answer;
                });

        assertThat(presence.isStored(key, slow)).isTrue();

        var _ = store.deleteIfMatch(key.blobName(), etag());
        assertThat(presence.isStored(key, store)).isFalse();
    }

    @Test
    void aBlockThatWasReadBeforeItWasPurgedIsNotFoundAfterwards() throws Exception {
        follow();
        var _ = store.putIfAbsent(key.blobName(), ByteBuffer.wrap(new byte[] {1}));
        assertThat(presence.isStored(key, store)).isTrue();
        Presence.ExistenceQuery asked = presence.asked(key);
        // The answer of storage is on its way, while the block is purged and forgotten.
        var _ = store.deleteIfMatch(key.blobName(), etag());
        teller.purges.add(purge("p", 1, Purge.State.FORGETTING));
        follow();

        presence.found(key, 1, asked);

        assertThat(presence.isStored(key, store)).isFalse();
    }

    private String etag() throws Exception {
        Blob blob = requireNonNull(store.getRange(key.blobName(), 0, 1, some.pool()));
        blob.memory().release();
        return blob.etag();
    }

    @Test
    void whileSuchABlockIsCopiedItDoesNotSayThatItHasHeard() throws Exception {
        follow();
        PurgeRules.Copying copying = rules.copy(key, rules.version());
        teller.purges.add(purge("p", 1, Purge.State.RUNNING));

        follow();
        follow();
        copying.close();
        follow();
        follow();

        assertThat(teller.done).containsExactly(0L, 0L, 0L, 0L, 1L, 1L);
    }

    @Test
    void aPurgeThatIsVoidIsForgotten() throws Exception {
        teller.purges.add(purge("p", 1, Purge.State.RUNNING));
        follow();
        teller.purges.set(0, purge("p", 2, Purge.State.VOID));

        follow();

        assertThat(rules.size()).isZero();
    }
}
