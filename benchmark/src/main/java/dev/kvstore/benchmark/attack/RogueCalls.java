package dev.kvstore.benchmark.attack;

import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc.MembershipServiceBlockingStub;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc.PurgeServiceBlockingStub;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportDeletedResponse;
import dev.kvstore.protocol.control.v1.ReportListedResponse;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc.WarmingServiceBlockingStub;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls of a data plane with a join token, again and again. It must get an error, and no answer. */
final class RogueCalls implements Attack.RunningAttack {
    private static final int DEADLINE_SECONDS = 10;

    /** As many as the heartbeats of 25,000 data planes. */
    private static final int PER_SECOND = 5_000;

    private final ManagedChannel channel;
    private final Metadata headers = new Metadata();
    private final AttackLoop loop;
    private volatile @Nullable String lease;

    /** One call. */
    @FunctionalInterface
    interface RogueCall {
        /** @return an answer that it must not get; null if it is none */
        @Nullable
        Object call(RogueCalls calls, int number);
    }

    private RogueCalls(AttackScene scene, int callers, RogueCall step) {
        this.channel = Grpc.newChannelBuilder(scene.controlPlane(), InsecureChannelCredentials.create())
                .build();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + scene.rogue().token());
        this.loop = AttackLoop.counting(callers, PER_SECOND, i -> wins(step, i), channel::shutdownNow);
    }

    static RogueCalls begin(AttackScene scene, int callers, RogueCall step) {
        return new RogueCalls(scene, callers, step);
    }

    private boolean wins(RogueCall step, int number) {
        try {
            return step.call(this, number) != null;
        } catch (StatusRuntimeException refused) {
            // As it should be.
            return false;
        }
    }

    private <S extends AbstractStub<S>> S stub(Function<Channel, S> service) {
        return service.apply(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    MembershipServiceBlockingStub membership() {
        return stub(MembershipServiceGrpc::newBlockingStub);
    }

    AccountServiceBlockingStub accounts() {
        return stub(AccountServiceGrpc::newBlockingStub);
    }

    WarmingServiceBlockingStub warmings() {
        return stub(WarmingServiceGrpc::newBlockingStub);
    }

    PurgeServiceBlockingStub purges() {
        return stub(PurgeServiceGrpc::newBlockingStub);
    }

    /** The lease of the rogue itself, in its own cluster, which it may have. */
    String lease(RegisterRequest own) {
        String held = lease;
        if (held == null) {
            held = membership().register(own).getLease();
            lease = held;
        }
        return held;
    }

    static @Nullable Object unlessOver(ReportCopiedResponse answer) {
        return answer.getOver() ? null : answer;
    }

    static @Nullable Object unlessOver(ReportListedResponse answer) {
        return answer.getOver() ? null : answer;
    }

    static @Nullable Object unlessOver(ReportDeletedResponse answer) {
        return answer.getOver() ? null : answer;
    }

    @Override
    public long done() {
        return loop.done();
    }

    @Override
    public long won() {
        return loop.won();
    }

    @Override
    public void close() {
        loop.close();
    }
}
