package dev.kvstore.dataplane.cluster;

import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.HeartbeatResponse;
import dev.kvstore.protocol.control.v1.Instructions;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.LeaveResponse;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.RegisterResponse;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.testing.FreePorts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The other side: a registry of maps that speaks the real protocol on loopback, whose leases end when told.
 * Thread-safe.
 */
public final class MembershipPeer extends MembershipServiceGrpc.MembershipServiceImplBase implements AutoCloseable {
    public static final String CLUSTER = "c";
    private static final String TOKEN = "join-token-of-a-test";

    private final Map<String, RegisterRequest> members = new LinkedHashMap<>();
    private final List<HeartbeatRequest> heartbeats = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final int periodMillis;
    private @Nullable Server server;
    private @Nullable Status refusal;
    private boolean drain;
    private boolean refresh;
    private int registrations;
    private int version;
    private final int port = FreePorts.one();

    /** A registry that wants a heartbeat this often. */
    public MembershipPeer(int periodMillis) {
        this.periodMillis = periodMillis;
        start();
    }

    /** Again, after a stop, where it was. */
    synchronized void start() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .addService(ServerInterceptors.intercept(this, new MemberTokenCheck()))
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As when the process is killed; what it knew is in its database. */
    void stop() throws InterruptedException {
        Server running;
        synchronized (this) {
            running = server;
        }
        if (running != null) {
            running.shutdownNow();
            running.awaitTermination();
        }
    }

    /** The replicas for a data plane: this peer, or others if it does not answer. */
    public ControlPlaneReplicas link(MembershipPeer... others) {
        List<ControlPlaneReplica> replicas = new ArrayList<>(List.of(new ControlPlaneReplica("127.0.0.1", port)));
        for (MembershipPeer other : others) {
            replicas.add(new ControlPlaneReplica("127.0.0.1", other.port));
        }
        return new ControlPlaneReplicas(replicas, _ -> null, new JoinToken(TOKEN));
    }

    /** Refuses everybody, or nobody any more. */
    synchronized void refuse(@Nullable Status why) {
        refusal = why;
    }

    /** Has all leases end. */
    synchronized void forget() {
        members.clear();
        version++;
    }

    public synchronized void drain(boolean on) {
        drain = on;
    }

    /** Has the next one who asks forget what it knows of accounts. */
    synchronized void refresh() {
        refresh = true;
    }

    synchronized List<RegisterRequest> members() {
        return List.copyOf(members.values());
    }

    public synchronized int count() {
        return members.size();
    }

    synchronized int registrations() {
        return registrations;
    }

    public synchronized @Nullable HeartbeatRequest lastHeartbeat() {
        return heartbeats.isEmpty() ? null : heartbeats.getLast();
    }

    synchronized int heartbeats() {
        return heartbeats.size();
    }

    public synchronized List<String> left() {
        return List.copyOf(left);
    }

    @Override
    public synchronized void register(RegisterRequest request, StreamObserver<RegisterResponse> caller) {
        registrations++;
        if (refusal != null) {
            caller.onError(refusal.asRuntimeException());
            return;
        }
        if (!request.getCluster().equals(CLUSTER)) {
            caller.onError(Status.FAILED_PRECONDITION
                    .withDescription("cluster: " + request.getCluster() + " is not registered")
                    .asRuntimeException());
            return;
        }
        String lease = "lease-" + request.getInstance();
        members.put(lease, request);
        version++;
        caller.onNext(RegisterResponse.newBuilder()
                .setLease(lease)
                .setLeaseTime(millis(3 * periodMillis))
                .setHeartbeatPeriod(millis(periodMillis))
                .setInstructions(instructions(lease, ""))
                .setRegion("here")
                .build());
        caller.onCompleted();
    }

    private static com.google.protobuf.Duration millis(int millis) {
        return com.google.protobuf.util.Durations.fromMillis(millis);
    }

    private Instructions instructions(String lease, String known) {
        String now = "v" + version;
        Instructions.Builder instructions =
                Instructions.newBuilder().setDrain(drain).setRefresh(refresh).setPeersVersion(now);
        refresh = false;
        if (!now.equals(known)) {
            members.forEach((other, member) -> {
                if (!other.equals(lease)) {
                    instructions.addPeers(Peer.newBuilder()
                            .setProcess(member.getProcess())
                            .setInstance(member.getInstance())
                            .setAddress(member.getAddress())
                            .setToken(member.getPeerToken()));
                }
            });
        }
        return instructions.build();
    }

    @Override
    public synchronized void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> caller) {
        if (!members.containsKey(request.getLease())) {
            caller.onError(Status.NOT_FOUND.withDescription("no such lease").asRuntimeException());
            return;
        }
        heartbeats.add(request);
        caller.onNext(HeartbeatResponse.newBuilder()
                .setInstructions(instructions(request.getLease(), request.getPeersVersion()))
                .build());
        caller.onCompleted();
    }

    @Override
    public synchronized void leave(LeaveRequest request, StreamObserver<LeaveResponse> caller) {
        left.add(request.getLease());
        members.remove(request.getLease());
        version++;
        caller.onNext(LeaveResponse.getDefaultInstance());
        caller.onCompleted();
    }

    /** Lets in who has the join token. */
    private static final class MemberTokenCheck implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            if (TOKEN.equals(Credentials.key(headers))) {
                return next.startCall(call, headers);
            }
            call.close(Status.UNAUTHENTICATED.withDescription("no join token"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    @Override
    public void close() {
        Server running;
        synchronized (this) {
            running = server;
        }
        if (running != null) {
            running.shutdownNow();
        }
    }
}
