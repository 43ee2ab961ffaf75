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
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** The replicas of the control plane, of which one is asked until it fails. Calls block; thread-safe. */
public final class ControlPlaneReplicas implements AutoCloseable {
    /** A question, put to one replica. */
    @FunctionalInterface
    interface ReplicaCall<T> {
        Future<T> ask(AccountServiceFutureStub stub);
    }

    /** How much later than a deadline its end may be noticed. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final List<ManagedChannel> channels;
    private final FollowedToken token;
    private final Supplier<OwnSecret> secret;
    private final AtomicInteger preferred = new AtomicInteger();

    /**
     * The replicas of a control plane, connected when they are first asked.
     *
     * @param tls of connections to each replica; null for none
     * @param token says which data plane this is
     */
    public ControlPlaneReplicas(
            List<ControlPlaneReplica> replicas,
            Function<ControlPlaneReplica, @Nullable SslContext> tls,
            JoinToken token) {
        this(replicas, tls, FollowedToken.fixed(token), () -> OwnSecret.of(token));
    }

    /**
     * The replicas of a control plane, called with a token that may change or with a certificate.
     *
     * @param token none if a certificate says which data plane this is
     * @param secret supplies the secret of this data plane for each derived key
     */
    public ControlPlaneReplicas(
            List<ControlPlaneReplica> replicas,
            Function<ControlPlaneReplica, @Nullable SslContext> tls,
            FollowedToken token,
            Supplier<OwnSecret> secret) {
        this(
                replicas.stream()
                        .map(replica -> {
                            SslContext context = tls.apply(replica);
                            return context == null ? replica.channelInClear() : replica.channel(context);
                        })
                        .toList(),
                token,
                secret);
    }

    private ControlPlaneReplicas(List<ManagedChannel> channels, FollowedToken token, Supplier<OwnSecret> secret) {
        this.channels = channels;
        this.token = token;
        this.secret = secret;
    }

    /** The replicas that channels lead to, one each. Closing this closes the channels. */
    public static ControlPlaneReplicas over(List<ManagedChannel> channels, JoinToken token) {
        return new ControlPlaneReplicas(List.copyOf(channels), FollowedToken.fixed(token), () -> OwnSecret.of(token));
    }

    private static ClientInterceptor introduction(@Nullable JoinToken token) {
        Metadata headers = new Metadata();
        if (token != null) {
            headers.put(Credentials.AUTHORIZATION, Credentials.bearer(token.secret()));
        }
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    /** A key that only a data plane with this one's token or certificate has. The key changes with these. */
    SecretKey key(String purpose) {
        return secret.get().derive(purpose);
    }

    /** The join token by which this data plane says which one it is. */
    public FollowedToken token() {
        return token;
    }

    /** Asks the account service of one replica after the other. */
    <T> T ask(ReplicaCall<T> question, Duration within) throws StatusException, InterruptedException {
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
        boolean renewed = false;
        for (int left = channels.size(); ; left--) {
            int at = preferred.get();
            long share = Math.max(1, (end - System.nanoTime()) / left);
            JoinToken joinToken = token.current();
            try {
                return answer(stubs, question, joinToken, at, share);
            } catch (StatusException e) {
                if (!renewed && refused(e.getStatus(), joinToken)) {
                    renewed = true;
                    left++;
                    continue;
                }
                if (left == 1 || !anotherMayDo(e.getStatus())) {
                    throw e;
                }
                failed(at);
            }
        }
    }

    /** Whether a refused token has been replaced by another one meanwhile. */
    private boolean refused(Status status, @Nullable JoinToken joinToken) {
        if (status.getCode() != Status.Code.UNAUTHENTICATED) {
            return false;
        }
        token.poll();
        return !Objects.equals(token.current(), joinToken);
    }

    private <S extends AbstractStub<S>, T> T answer(
            Function<Channel, S> stubs,
            Function<S, Future<T>> question,
            @Nullable JoinToken joinToken,
            int replica,
            long nanos)
            throws StatusException, InterruptedException {
        Future<T> answer = question.apply(stubs.apply(channels.get(replica))
                .withInterceptors(introduction(joinToken))
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

    /** Gives the turn to the next replica, if the failed one still has it. */
    void failed(int replica) {
        preferred.compareAndSet(replica, (replica + 1) % channels.size());
    }

    /**
     * The stub for an endless call to one replica, which connects now and not when gRPC thinks it time. The call shows
     * the token that the file has now.
     */
    AccountServiceBlockingV2Stub stubConnectingNow(int replica) {
        channels.get(replica).resetConnectBackoff();
        token.poll();
        return AccountServiceGrpc.newBlockingV2Stub(channels.get(replica))
                .withInterceptors(introduction(token.current()));
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
