package dev.kvstore.dataplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.Instructions;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member and what it is told, over the real protocol. */
final class MembershipTest {
    private static final int PERIOD_MILLIS = 20;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final MembershipPeer registry = new MembershipPeer(PERIOD_MILLIS);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final RecordedInstructions follower = new RecordedInstructions();
    private final AtomicLong nanos = new AtomicLong();

    private static final class RecordedInstructions implements Membership.Follower {
        private final List<Instructions> heard = new CopyOnWriteArrayList<>();
        private volatile boolean draining;

        @Override
        public void follow(Instructions instructions) {
            heard.add(instructions);
        }

        @Override
        public boolean isDraining() {
            return draining;
        }
    }

    private static final class Fixed implements Membership.Gauges {
        @Override
        public Capacity capacity() {
            return Capacity.newBuilder().setCpus(7).build();
        }

        @Override
        public Load load() {
            return Load.newBuilder().setStreams(3).build();
        }
    }

    private Membership member(String cluster, ControlPlaneReplicas link) {
        Self self = new Self(
                cluster,
                "p",
                "instance-0123456789",
                "127.0.0.1:8085",
                "example.test:8085",
                OptionalInt.of(1),
                PeerToken.random(new SplittableRandom(1)),
                "1.0");
        Membership member =
                new Membership(link, self, new Fixed(), follower, () -> NOW, new SplittableRandom(1), nanos::get);
        opened.add(member);
        opened.add(link);
        member.start();
        return member;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        registry.close();
    }

    @Test
    void aProcessSaysWhatItIsOnceAndThenHowItIs() {
        Membership member = member(MembershipPeer.CLUSTER, registry.link());

        await().until(() -> registry.heartbeats() > 3);

        assertThat(member.isJoined()).isTrue();
        assertThat(registry.registrations()).isEqualTo(1);
        RegisterRequest said = registry.members().getFirst();
        assertThat(said.getProcess()).isEqualTo("p");
        assertThat(said.getAddress()).isEqualTo("127.0.0.1:8085");
        assertThat(said.getRemoteAddress()).isEqualTo("example.test:8085");
        assertThat(said.getNumaNode()).isEqualTo(1);
        assertThat(said.getCapacity().getCpus()).isEqualTo(7);
        assertThat(said.getPeerToken()).hasSize(64);
        assertThat(said.getClock().getSeconds()).isEqualTo(NOW.getEpochSecond());
        assertThat(Objects.requireNonNull(registry.lastHeartbeat()).getLoad().getStreams())
                .isEqualTo(3);
    }

    @Test
    void peersAreToldOnlyWhenTheyChange() {
        member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> registry.heartbeats() > 1);
        assertThat(Objects.requireNonNull(registry.lastHeartbeat()).getPeersVersion())
                .isEqualTo("v1");
    }

    @Test
    void whoLostItsLeaseRegistersAgain() {
        member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> registry.heartbeats() > 0);

        registry.forget();

        await().until(() -> registry.registrations() == 2 && registry.count() == 1);
    }

    @Test
    void aRegistryThatIsAwayForAWhileIsFoundAgain() throws Exception {
        Membership member = member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> registry.heartbeats() > 0);

        registry.stop();
        await().until(() -> member.flaw() != null);
        assertThat(member.isJoined()).isTrue();
        int before = registry.heartbeats();
        registry.start();

        await().until(() -> registry.heartbeats() > before && member.flaw() == null);
        assertThat(registry.registrations()).isEqualTo(1);
    }

    @Test
    void aLeaseThatWasNotRenewedInItsTimeIsNotHeldUntilItIsRenewed() throws Exception {
        Membership member = member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> registry.heartbeats() > 0);
        registry.stop();
        await().until(() -> member.flaw() != null);

        nanos.addAndGet(Duration.ofMillis(3L * PERIOD_MILLIS).toNanos());
        boolean held = member.isJoined();
        registry.start();

        assertThat(held).isFalse();
        await().until(member::isJoined);
    }

    @Test
    void anotherReplicaIsAskedIfOneIsGone() throws Exception {
        try (MembershipPeer other = new MembershipPeer(PERIOD_MILLIS)) {
            registry.stop();
            member(MembershipPeer.CLUSTER, registry.link(other));

            await().until(() -> other.heartbeats() > 0);
        }
    }

    @Test
    void whoIsRefusedSaysWhy() {
        Membership member = member("nowhere", registry.link());

        await().until(() -> member.flaw() != null);

        assertThat(member.flaw()).isEqualTo("FAILED_PRECONDITION: cluster: nowhere is not registered");
        assertThat(member.isJoined()).isFalse();
    }

    @Test
    void whoWasRefusedJoinsOnceItMayWithoutBeingStartedAnew() {
        registry.refuse(Status.ALREADY_EXISTS);
        Membership member = member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> member.flaw() != null);

        registry.refuse(null);
        member.hurry();

        await().until(member::isJoined);
    }

    @Test
    void instructionsAreFollowedAndDrainingIsSaid() {
        Membership member = member(MembershipPeer.CLUSTER, registry.link());
        registry.drain(true);
        await().until(() -> follower.heard.stream().anyMatch(Instructions::getDrain));

        follower.draining = true;
        member.hurry();

        await().until(() -> Objects.requireNonNull(registry.lastHeartbeat()).getDraining());
    }

    @Test
    void whoStopsGivesItsLeaseBack() {
        Membership member = member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> registry.heartbeats() > 0);

        member.close();

        assertThat(registry.left()).containsExactly("lease-instance-0123456789");
        assertThat(member.isJoined()).isFalse();
    }

    @Test
    void whoStopsWhileTheRegistryIsAwayStopsAllTheSame() throws Exception {
        Membership member = member(MembershipPeer.CLUSTER, registry.link());
        await().until(() -> registry.heartbeats() > 0);
        registry.stop();

        member.close();

        assertThat(member.isJoined()).isFalse();
    }
}
