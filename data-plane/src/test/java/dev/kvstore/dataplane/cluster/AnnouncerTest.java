package dev.kvstore.dataplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.call.Authentication;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.protocol.peer.v1.AnnounceRequest;
import dev.kvstore.protocol.peer.v1.AnnounceResponse;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.protocol.peer.v1.WrittenBlocks;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Announcements to a peer on loopback, which takes one message for each permit. */
final class AnnouncerTest {
    private static final StorageLocation STORAGE = new StorageLocation.Filesystem(Path.of("/blocks"));

    private final List<AnnounceRequest> heard = new CopyOnWriteArrayList<>();
    private final Semaphore permits = new Semaphore(1_000);
    private final AnnouncementQueue.AnnouncementCounters counters = new AnnouncementQueue.AnnouncementCounters();
    private final Announcer announcer = new Announcer(
            "me",
            peer -> new AnnouncementQueue(
                    peer,
                    NettyChannelBuilder.forAddress("127.0.0.1", port())
                            .usePlaintext()
                            .build(),
                    counters));
    private @Nullable Server server;

    @BeforeEach
    void listen() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new PeerServiceGrpc.PeerServiceImplBase() {
                    @Override
                    public void announce(AnnounceRequest request, StreamObserver<AnnounceResponse> caller) {
                        permits.acquireUninterruptibly();
                        heard.add(request);
                        caller.onNext(AnnounceResponse.getDefaultInstance());
                        caller.onCompleted();
                    }
                })
                .build()
                .start();
    }

    private int port() {
        return Objects.requireNonNull(server).getPort();
    }

    @AfterEach
    void stop() {
        permits.release(1_000);
        announcer.close();
        Objects.requireNonNull(server).shutdownNow();
    }

    private static Peer peer(String name) {
        return Peer.newBuilder()
                .setProcess(name)
                .setInstance(name)
                .setAddress("127.0.0.1:1")
                .setToken("t".repeat(32))
                .build();
    }

    private void store(int root, int blocks) {
        for (int i = 0; i < blocks; i++) {
            announcer.stored(new BlockKey(STORAGE, new BlockHash(root, 0, 0, 0), new BlockHash(i, 0, 0, 0)), true);
        }
    }

    private long blocks() {
        return heard.stream()
                .flatMap(request -> request.getWrittenList().stream())
                .mapToLong(written -> written.getHashes().size() / BlockHash.BYTES)
                .sum();
    }

    @Test
    void blocksOfAPeriodAreToldTogetherByPartition() {
        announcer.tell(List.of(peer("a")));
        store(1, 2);
        store(2, 3);
        announcer.beat();

        await().until(() -> heard.size() == 1);
        AnnounceRequest request = heard.getFirst();
        assertThat(request.getProcess()).isEqualTo("me");
        assertThat(request.getWrittenList())
                .extracting(WrittenBlocks::getStorage)
                .containsExactly("file:/blocks", "file:/blocks");
        assertThat(request.getWrittenList())
                .extracting(written -> written.getHashes().size())
                .containsExactlyInAnyOrder(64, 96);
    }

    @Test
    void nothingIsToldOfNothing() {
        announcer.tell(List.of(peer("a")));
        announcer.beat();
        store(1, 1);
        announcer.beat();

        await().until(() -> blocks() == 1);
        assertThat(heard).hasSize(1);
    }

    @Test
    void aMessageHasSoManyBlocksAtMost() {
        announcer.tell(List.of(peer("a")));
        store(1, Announcer.MAX_BLOCKS - 1);
        store(2, 2);
        announcer.beat();

        await().until(() -> blocks() == Announcer.MAX_BLOCKS + 1);
        assertThat(heard).hasSize(2);
    }

    @Test
    void aMessageIsAsLongAsAPeerTakesAtMost() {
        announcer.tell(List.of(peer("a")));
        StorageLocation farDown = new StorageLocation.Filesystem(Path.of("/" + "x".repeat(2_000)));
        for (int root = 0; root < 1_000; root++) {
            announcer.stored(new BlockKey(farDown, new BlockHash(root, 0, 0, 0), new BlockHash(1, 0, 0, 0)), true);
        }
        announcer.beat();

        await().until(() -> blocks() == 1_000);
        assertThat(heard)
                .allSatisfy(request -> assertThat(request.getSerializedSize())
                        .isLessThanOrEqualTo(Authentication.MAX_PEER_MESSAGE_BYTES));
    }

    @Test
    void whatIsTooMuchForAPeriodIsDroppedAndCountedForEachPeer() {
        announcer.tell(List.of(peer("a"), peer("b")));

        store(1, Announcer.MAX_WAITING + 3);

        assertThat(announcer.dropped()).isEqualTo(6);
    }

    @Test
    void aSlowPeerLosesTheOldestAndHoldsNobodyUp() {
        permits.drainPermits();
        announcer.tell(List.of(peer("a")));
        for (int i = 0; i < AnnouncementQueue.MAX_MESSAGES + 5; i++) {
            store(i, 1);
            announcer.beat();
        }

        // One may be with the peer, the others wait.
        assertThat(announcer.dropped()).isBetween(4L, 5L);
    }

    @Test
    void aPeerThatStaysIsToldByTheSameConnectionAndOneThatIsGoneNoMore() {
        announcer.tell(List.of(peer("a"), peer("b")));
        announcer.tell(List.of(peer("a")));
        store(1, 1);
        announcer.beat();

        await().until(() -> blocks() == 1);
        assertThat(announcer.peers()).isEqualTo(1);
    }

    @Test
    void whoHasNoPeersKeepsNothing() {
        store(1, 10);
        announcer.tell(List.of(peer("a")));
        store(1, 1);
        announcer.beat();

        await().until(() -> blocks() == 1);
    }
}
