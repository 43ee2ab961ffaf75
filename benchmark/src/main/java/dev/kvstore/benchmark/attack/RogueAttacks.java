package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.measure.StackChannels;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Attacks of a data plane that has a join token, but of another cluster than that of the honest clients' processes. */
final class RogueAttacks {
    private static final int CALLERS = 8;

    /** Calls a second: 25,000 data planes send as many heartbeats. */
    private static final int PER_SECOND = 5_000;

    private static final int DEADLINE_SECONDS = 10;
    private static final int SECRET_BYTES = 32;
    private static final int GUESSES = 16;
    private static final int BLOCKS = 16;

    private RogueAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "rogue-data-plane",
                        "a data plane that joins another cluster than its own, drains it, ends its leases and asks for accounts of"
                                + " other regions",
                        AttackTarget.CONTROL_PLANE,
                        RogueAttacks::intrude),
                new Attack(
                        "forged-reports",
                        "reports on trials of storage, on purges, and on a warming that was given to another data plane",
                        AttackTarget.CONTROL_PLANE,
                        Attack.Stage.WARMING,
                        RogueAttacks::forge));
    }

    private static RegisterRequest registration(String cluster, String process) {
        byte[] secret = new byte[SECRET_BYTES];
        ThreadLocalRandom.current().nextBytes(secret);
        return RegisterRequest.newBuilder()
                .setCluster(cluster)
                .setProcess(process)
                .setInstance(UUID.randomUUID().toString())
                // An address that nobody else has: what matters is whether it is taken.
                .setAddress("127.0.0.1:" + ThreadLocalRandom.current().nextInt(1, 1_024))
                .setPeerToken(HexFormat.of().formatHex(secret))
                .setCapacity(Capacity.newBuilder().setOperations(1_000).setCpus(64))
                .build();
    }

    /** A call of a data plane, with its join token. */
    @FunctionalInterface
    private interface RogueCall {
        /** @return whether it got an answer that it must not get; an error is none */
        boolean wins(Channel channel, int number);
    }

    private static AttackLoad calling(AttackScene scene, RogueCall call) {
        StackChannels channels = new StackChannels(scene.controlPlane(), scene.rogueToken(), 1);
        return AttackLoad.calling(
                CALLERS,
                PER_SECOND,
                i -> {
                    try {
                        return call.wins(channels.get(0), i);
                    } catch (StatusRuntimeException refused) {
                        // As it should be.
                        return false;
                    }
                },
                channels::close);
    }

    private static <S extends AbstractStub<S>> S stub(Function<Channel, S> service, Channel channel) {
        return service.apply(channel).withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    private static AttackLoad intrude(AttackScene scene) {
        return calling(scene, (channel, i) -> {
            var membership = stub(MembershipServiceGrpc::newBlockingStub, channel);
            String guess = UUID.randomUUID().toString();
            switch (i % 4) {
                case 0 -> {
                    var _ = membership.register(registration(scene.homeCluster(), "rogue-" + i));
                }
                case 1 -> {
                    var _ = membership.heartbeat(HeartbeatRequest.newBuilder()
                            .setLease(guess)
                            .setDraining(true)
                            .setLoad(Load.getDefaultInstance())
                            .build());
                }
                case 2 -> {
                    // For a lease that does not exist this call is answered, and ends nothing.
                    var _ = membership.leave(
                            LeaveRequest.newBuilder().setLease(guess).build());
                    return false;
                }
                default -> {
                    var _ = stub(AccountServiceGrpc::newBlockingStub, channel)
                            .resolve(ResolveRequest.newBuilder()
                                    .setResourceName(scene.resource())
                                    .setRegion("elsewhere")
                                    .build());
                }
            }
            return true;
        });
    }

    private static AttackLoad forge(AttackScene scene) {
        // The lease of the rogue itself, in its own cluster, which it may have.
        RegisterRequest own = registration(Stages.CLUSTER, "rogue");
        AtomicReference<@Nullable String> held = new AtomicReference<>();
        return calling(scene, (channel, i) -> {
            String lease = held.updateAndGet(known -> known == null
                    ? stub(MembershipServiceGrpc::newBlockingStub, channel)
                            .register(own)
                            .getLease()
                    : known);
            var warmings = stub(WarmingServiceGrpc::newBlockingStub, channel);
            String number = Integer.toString(i % GUESSES);
            return switch (i % 4) {
                case 0 -> {
                    var _ = stub(AccountServiceGrpc::newBlockingStub, channel)
                            .reportProbe(ReportProbeRequest.newBuilder()
                                    .setId(number)
                                    .setNode("rogue")
                                    .addSteps(ProbeStep.newBuilder()
                                            .setName(ProbeStep.Name.DELETE)
                                            .setOk(true))
                                    .build());
                    yield true;
                }
                case 1 ->
                    !warmings.reportCopied(ReportCopiedRequest.newBuilder()
                                    .setLease(lease)
                                    .setWarming(scene.warming())
                                    .setClaim(i / 4 % GUESSES)
                                    .setFrom(i / 4 / GUESSES % BLOCKS)
                                    .build())
                            .getOver();
                case 2 ->
                    !warmings.reportListed(ReportListedRequest.newBuilder()
                                    .setLease(lease)
                                    .setWarming(scene.warming())
                                    .setClaim(i / 4 % GUESSES)
                                    .build())
                            .getOver();
                default ->
                    !stub(PurgeServiceGrpc::newBlockingStub, channel)
                            .reportDeleted(ReportDeletedRequest.newBuilder()
                                    .setLease(lease)
                                    .setPurge(number)
                                    .setRegion(scene.region())
                                    .setClaim(i % GUESSES)
                                    .setLast(true)
                                    .build())
                            .getOver();
            };
        });
    }
}
