package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Attacks of a data plane that has a join token, but of another cluster than that of the honest clients' processes. */
final class RogueAttacks {
    private static final int CALLERS = 8;
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

    private static RegisterRequest registration(String cluster, String process, int port, RandomGenerator random) {
        return RegisterRequest.newBuilder()
                .setCluster(cluster)
                .setProcess(process)
                .setInstance(UUID.randomUUID().toString())
                .setAddress("127.0.0.1:" + port)
                .setPeerToken(secret(random))
                .setCapacity(Capacity.newBuilder().setOperations(1_000).setCpus(64))
                .build();
    }

    private static String secret(RandomGenerator random) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** An address that nobody else has: what matters is whether it is taken. */
    private static int port(RandomGenerator random) {
        return random.nextInt(1, 1_024);
    }

    private static Attack.RunningAttack intrude(AttackScene scene, RandomGenerator random) {
        AttackScene.Rogue rogue = scene.rogue();
        return RogueCalls.begin(scene, CALLERS, (calls, i) -> {
            String guess = UUID.randomUUID().toString();
            return switch (i % 4) {
                case 0 ->
                    calls.membership().register(registration(rogue.homeCluster(), "rogue-" + i, port(random), random));
                case 1 ->
                    calls.membership()
                            .heartbeat(HeartbeatRequest.newBuilder()
                                    .setLease(guess)
                                    .setDraining(true)
                                    .setLoad(Load.getDefaultInstance())
                                    .build());
                case 2 -> {
                    // For a lease that does not exist this call is answered, and ends nothing.
                    var _ = calls.membership()
                            .leave(LeaveRequest.newBuilder().setLease(guess).build());
                    yield null;
                }
                default ->
                    calls.accounts()
                            .resolve(ResolveRequest.newBuilder()
                                    .setResourceName(scene.hostile().resource())
                                    .setRegion("elsewhere")
                                    .build());
            };
        });
    }

    private static Attack.RunningAttack forge(AttackScene scene, RandomGenerator random) {
        RegisterRequest own = registration(scene.rogue().cluster(), "rogue", port(random), random);
        return RogueCalls.begin(scene, CALLERS, (calls, i) -> {
            String lease = calls.lease(own);
            String number = Integer.toString(i % GUESSES);
            return switch (i % 4) {
                case 0 ->
                    calls.accounts()
                            .reportProbe(ReportProbeRequest.newBuilder()
                                    .setId(number)
                                    .setNode("rogue")
                                    .addSteps(ProbeStep.newBuilder()
                                            .setName(ProbeStep.Name.DELETE)
                                            .setOk(true))
                                    .build());
                case 1 ->
                    RogueCalls.unlessOver(calls.warmings()
                            .reportCopied(ReportCopiedRequest.newBuilder()
                                    .setLease(lease)
                                    .setWarming(scene.rogue().warming())
                                    .setClaim(i / 4 % GUESSES)
                                    .setFrom(i / 4 / GUESSES % BLOCKS)
                                    .build()));
                case 2 ->
                    RogueCalls.unlessOver(calls.warmings()
                            .reportListed(ReportListedRequest.newBuilder()
                                    .setLease(lease)
                                    .setWarming(scene.rogue().warming())
                                    .setClaim(i / 4 % GUESSES)
                                    .build()));
                default ->
                    RogueCalls.unlessOver(calls.purges()
                            .reportDeleted(ReportDeletedRequest.newBuilder()
                                    .setLease(lease)
                                    .setPurge(number)
                                    .setRegion(scene.rogue().region())
                                    .setClaim(i % GUESSES)
                                    .setLast(true)
                                    .build()));
            };
        });
    }
}
