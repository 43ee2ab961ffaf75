package dev.kvstore.dataplane.account.control;

import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceBlockingV2Stub;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceFutureStub;
import dev.kvstore.protocol.wire.Credentials;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** The replicas of the control plane, of which one is asked until it fails. Calls block; thread-safe. */
public final class ControlPlane implements AutoCloseable {
    /** A question, put to one replica. */
    @FunctionalInterface
    interface Question<T> {
        Future<T> ask(AccountServiceFutureStub stub);
    }

    /** How much later than a deadline its end may be noticed. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final List<ManagedChannel> channels;
    private final ClientInterceptor introduction;
    private final OwnSecret secret;
    private final AtomicInteger preferred = new AtomicInteger();

    /**
     * Connects when it is first asked.
     *
     * @param tls of connections to each replica; null for none
     * @param token says which data plane this is
     */
    public ControlPlane(List<Replica> replicas, Function<Replica, @Nullable SslContext> tls, JoinToken token) {
        this(replicas, tls, token, OwnSecret.of(token));
    }

    /**
     * As above.
     *
     * @param token null if a certificate says which data plane this is
     * @param secret of this data plane
     */
    public ControlPlane(
            List<Replica> replicas,
            Function<Replica, @Nullable SslContext> tls,
            @Nullable JoinToken token,
            OwnSecret secret) {
        this.channels = replicas.stream()
                .map(replica -> {
                    SslContext context = tls.apply(replica);
                    return context == null ? replica.channelInClear() : replica.channel(context);
                })
                .toList();
        this.secret = secret;
        Metadata headers = new Metadata();
        if (token != null) {
            headers.put(Credentials.AUTHORIZATION, Credentials.bearer(token.secret()));
        }
        this.introduction = MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    /** A key that only who may ask this control plane has. */
    SecretKey key(String purpose) {
        return secret.derive(purpose);
    }

    /** As below, about accounts. */
    <T> T ask(Question<T> question, Duration within) throws StatusException, InterruptedException {
        return ask(AccountServiceGrpc::newFutureStub, question::ask, within);
    }

    /**
     * Asks one replica after the other, each for its share of the time that is left.
     *
     * @param stubs of the service that is asked
     */
    public <S extends AbstractStub<S>, T> T ask(
            Function<Channel, S> stubs, Function<S, Future<T>> question, Duration within)
            throws StatusException, InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        for (int left = channels.size(); ; left--) {
            int at = preferred.get();
            long share = Math.max(1, (end - System.nanoTime()) / left);
            try {
                return answer(stubs, question, at, share);
            } catch (StatusException e) {
                if (left == 1 || !anotherMayDo(e.getStatus())) {
                    throw e;
                }
                failed(at);
            }
        }
    }

    private <S extends AbstractStub<S>, T> T answer(
            Function<Channel, S> stubs, Function<S, Future<T>> question, int replica, long nanos)
            throws StatusException, InterruptedException {
        Future<T> answer = question.apply(stubs.apply(channels.get(replica))
                .withInterceptors(introduction)
                .withDeadlineAfter(nanos, TimeUnit.NANOSECONDS));
        try {
            return answer.get(nanos + GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Status.fromThrowable(e).asException();
        } catch (TimeoutException e) {
            throw Status.DEADLINE_EXCEEDED.asException();
        } finally {
            answer.cancel(true);
        }
    }

    private static boolean anotherMayDo(Status status) {
        return switch (status.getCode()) {
            // A replica that is killed cancels.
            case CANCELLED, UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /** The replica whose turn it is. */
    int turn() {
        return preferred.get();
    }

    /** Has the next replica's turn come, if it still is that one's. */
    void failed(int replica) {
        preferred.compareAndSet(replica, (replica + 1) % channels.size());
    }

    /** For a call without an end to one replica, which is connected to now and not when gRPC thinks it time. */
    AccountServiceBlockingV2Stub stubConnectingNow(int replica) {
        channels.get(replica).resetConnectBackoff();
        return AccountServiceGrpc.newBlockingV2Stub(channels.get(replica)).withInterceptors(introduction);
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
