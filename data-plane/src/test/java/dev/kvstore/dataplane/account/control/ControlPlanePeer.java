package dev.kvstore.dataplane.account.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.protocol.control.v1.Account;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.Limits;
import dev.kvstore.protocol.control.v1.NotGranted;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ReportProbeResponse;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.control.v1.UnknownKey;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
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
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The other side: a control plane of maps that speaks the real protocol on loopback. Thread-safe. */
public final class ControlPlanePeer extends AccountServiceGrpc.AccountServiceImplBase implements AutoCloseable {
    public static final String TOKEN = "join-token-of-a-test";

    private final Map<String, ByteString> keys = new HashMap<>();
    private final Set<ByteString> expired = new HashSet<>();
    private final Set<String> unready = new HashSet<>();
    private final Map<String, Granted> grants = new HashMap<>();
    private final List<StreamObserver<WatchResponse>> watchers = new ArrayList<>();
    private final List<WatchResponse> history = new ArrayList<>();
    private final BlockingQueue<ReportProbeRequest> reports = new LinkedBlockingQueue<>();
    private final List<WatchRequest> watches = new ArrayList<>();
    private final Semaphore answered = new Semaphore(0);
    private @Nullable Semaphore gate;
    private long change = 1;
    private int resolves;
    private boolean deaf;
    private boolean slow;
    private volatile Set<String> tokens = Set.of(TOKEN);
    private @Nullable Timestamp clock;
    private @Nullable Server server;
    private final int port = FreePorts.one();

    private final @Nullable Path chain;
    private final @Nullable Path key;

    ControlPlanePeer() {
        this(null, null);
    }

    /** Over TLS, with a certificate and its key. */
    public ControlPlanePeer(@Nullable Path chain, @Nullable Path key) {
        this.chain = chain;
        this.key = key;
        start();
    }

    /** Again, after a stop, where it was. */
    synchronized void start() {
        try {
            NettyServerBuilder builder =
                    NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            if (chain != null && key != null) {
                builder.useTransportSecurity(chain.toFile(), key.toFile());
            }
            server = builder.addService(ServerInterceptors.intercept(this, new JoinTokenCheck()))
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As when the process is killed. */
    void stop() {
        Server running;
        synchronized (this) {
            running = server;
            watchers.clear();
        }
        if (running != null) {
            running.shutdownNow();
            try {
                running.awaitTermination();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public int port() {
        return port;
    }

    synchronized int resolves() {
        return resolves;
    }

    public synchronized List<WatchRequest> watches() {
        return List.copyOf(watches);
    }

    BlockingQueue<ReportProbeRequest> reports() {
        return reports;
    }

    /** Says nothing on watches any more, not even that they are over. */
    synchronized void fallSilent() {
        deaf = true;
    }

    synchronized void speakAgain() {
        deaf = false;
    }

    /** Answers are made, and wait for a permit before they leave. */
    synchronized Semaphore holdAnswers() {
        gate = new Semaphore(0);
        return gate;
    }

    /** Waits until so many more answers have been made. */
    void awaitAnswers(int count) throws InterruptedException {
        answered.acquire(count);
    }

    public static Right right(Right.Access access) {
        return Right.newBuilder().setAccess(access).build();
    }

    public static Right right(Right.Access access, String partition) {
        return Right.newBuilder().setAccess(access).setPartition(partition).build();
    }

    static Right until(Right.Access access, Instant end) {
        return Right.newBuilder()
                .setAccess(access)
                .setExpiresAt(
                        Timestamp.newBuilder().setSeconds(end.getEpochSecond()).setNanos(end.getNano()))
                .build();
    }

    /** Lets a key do something with an account, and tells of it. */
    public synchronized void grant(String apiKey, String resourceName, Right... rights) {
        Credential credential = credential(apiKey);
        keys.put(
                credential.keyId(),
                new ResolutionSubject(credential, "").request("").getKeySha256());
        grants.put(
                credential.keyId() + "/" + resourceName,
                Granted.newBuilder()
                        .setAccount(Account.newBuilder()
                                .setResourceName(resourceName)
                                .setTenant("tenant")
                                .setStorage(Storage.newBuilder()
                                        .setFilesystem(
                                                FilesystemStorage.newBuilder().setPath("/storage/of/" + resourceName))))
                        .addAllRights(List.of(rights))
                        .build());
        tell(WatchResponse.newBuilder().addKeyIds(credential.keyId()).addResourceNames(resourceName));
    }

    /** Limits an account that was granted, and tells of it. */
    public synchronized void limit(String resourceName, int operations, long bytesPerSecond) {
        Limits limits = Limits.newBuilder()
                .setOperations(operations)
                .setBytesPerSecond(bytesPerSecond)
                .build();
        change(resourceName, account -> account.setLimits(limits));
    }

    /** Says for how long an account that was granted may be served without this control plane, and tells of it. */
    public synchronized void allowOffline(String resourceName, java.time.Duration time) {
        Duration most = Duration.newBuilder().setSeconds(time.toSeconds()).build();
        change(resourceName, account -> account.setMaxOffline(most));
    }

    private void change(String resourceName, UnaryOperator<Account.Builder> change) {
        grants.replaceAll((_, granted) -> granted.getAccount().getResourceName().equals(resourceName)
                ? granted.toBuilder()
                        .setAccount(change.apply(granted.getAccount().toBuilder()))
                        .build()
                : granted);
        tell(WatchResponse.newBuilder().addResourceNames(resourceName));
    }

    /** Takes a grant back, and tells of it. */
    public synchronized void revoke(String apiKey, String resourceName) {
        grants.remove(credential(apiKey).keyId() + "/" + resourceName);
        tell(WatchResponse.newBuilder().addResourceNames(resourceName));
    }

    /** Ends a key, and tells of it. */
    public synchronized void revokeKey(String apiKey) {
        endQuietly(apiKey);
        tell(WatchResponse.newBuilder().addKeyIds(credential(apiKey).keyId()));
    }

    /** From now on says of a key that it has expired. */
    synchronized void expire(String apiKey) {
        endQuietly(apiKey);
        expired.add(ByteString.fromHex(credential(apiKey).sha256()));
        tell(WatchResponse.newBuilder().addKeyIds(credential(apiKey).keyId()));
    }

    /** From now on says that a resource which is granted to a key is not ready. */
    synchronized void unready(String resourceName) {
        unready.add(resourceName);
    }

    /** Ends a key, and tells nobody. */
    synchronized void endQuietly(String apiKey) {
        keys.remove(credential(apiKey).keyId());
    }

    synchronized void heartbeat() {
        send(WatchResponse.newBuilder().setChange(change).build());
    }

    synchronized void forgetEverything() {
        tell(WatchResponse.newBuilder().setReset(true));
    }

    /** Lets changes happen that concern nobody here. */
    synchronized void skip(int changes) {
        change += changes;
    }

    /** Counts changes from an earlier one on, as after its database was restored; a name is told for who listens. */
    synchronized void restore(long to) {
        history.clear();
        change = to - 1;
        tell(WatchResponse.newBuilder().setReset(true).addResourceNames("any"));
    }

    synchronized void probe(Probe probe) {
        send(WatchResponse.newBuilder().setChange(change).addProbes(probe).build());
    }

    private static Credential credential(String apiKey) {
        Credential credential = Credential.of(apiKey);
        if (credential == null) {
            throw new IllegalArgumentException(apiKey);
        }
        return credential;
    }

    private void tell(WatchResponse.Builder message) {
        WatchResponse next = message.setChange(++change).build();
        history.add(next);
        send(next);
    }

    private void send(WatchResponse message) {
        if (!deaf) {
            WatchResponse timed = timed(message.toBuilder()).build();
            watchers.forEach(watcher -> watcher.onNext(timed));
        }
    }

    private WatchResponse.Builder timed(WatchResponse.Builder message) {
        return clock == null ? message : message.setClock(clock);
    }

    /** Tells the time by the database's clock. */
    synchronized void say(Instant time) {
        clock = Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
        heartbeat();
    }

    @Override
    public void resolve(ResolveRequest request, StreamObserver<ResolveResponse> observer) {
        ResolveResponse response;
        Semaphore wait;
        synchronized (this) {
            resolves++;
            ResolveResponse.Builder answer = answer(request).setChange(change);
            response = clock == null ? answer.build() : answer.setClock(clock).build();
            wait = gate;
        }
        answered.release();
        if (wait != null) {
            wait.acquireUninterruptibly();
        }
        observer.onNext(response);
        observer.onCompleted();
    }

    private ResolveResponse.Builder answer(ResolveRequest request) {
        if (!request.getKeySha256().equals(keys.get(request.getKeyId()))) {
            return ResolveResponse.newBuilder()
                    .setUnknownKey(UnknownKey.newBuilder().setExpired(expired.contains(request.getKeySha256())));
        }
        if (unready.contains(request.getResourceName())) {
            return ResolveResponse.newBuilder()
                    .setNotGranted(NotGranted.newBuilder().setNotReady(true));
        }
        Granted granted = grants.get(request.getKeyId() + "/" + request.getResourceName());
        return granted == null
                ? ResolveResponse.newBuilder().setNotGranted(NotGranted.getDefaultInstance())
                : ResolveResponse.newBuilder().setGranted(granted);
    }

    @Override
    public synchronized void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
        watches.add(request);
        if (deaf) {
            return;
        }
        ((ServerCallStreamObserver<WatchResponse>) observer).setOnCancelHandler(() -> leave(observer));
        watchers.add(observer);
        if (request.getSince() > 0) {
            history.stream()
                    .filter(message -> message.getChange() > request.getSince())
                    .map(message -> message.toBuilder().setMore(true).build())
                    .forEach(observer::onNext);
        }
        if (!slow) {
            observer.onNext(timed(WatchResponse.newBuilder().setChange(change)).build());
        }
    }

    /** From now on a new watch is told of the changes it missed, and not yet that no others follow. */
    synchronized void tellSlowly() {
        slow = true;
    }

    /** Tells the watchers that no further changes follow. */
    synchronized void tellTheRest() {
        slow = false;
        send(WatchResponse.newBuilder().setChange(change).build());
    }

    private synchronized void leave(StreamObserver<WatchResponse> observer) {
        watchers.remove(observer);
    }

    @Override
    public void reportProbe(ReportProbeRequest request, StreamObserver<ReportProbeResponse> observer) {
        reports.add(request);
        observer.onNext(ReportProbeResponse.getDefaultInstance());
        observer.onCompleted();
    }

    /** These are join tokens, and no others any more. */
    void letIn(String... good) {
        tokens = Set.of(good);
    }

    /** Lets in who has a join token. */
    private final class JoinTokenCheck implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            String shown = Credentials.key(headers);
            if (shown != null && tokens.contains(shown)) {
                return next.startCall(call, headers);
            }
            call.close(Status.UNAUTHENTICATED.withDescription("no join token"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    @Override
    public void close() {
        stop();
    }
}
