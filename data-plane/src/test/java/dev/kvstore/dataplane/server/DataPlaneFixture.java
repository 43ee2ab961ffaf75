package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.call.InboundMeter;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Instructed;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.cluster.PeerToken;
import dev.kvstore.dataplane.cluster.ProcessLoad;
import dev.kvstore.dataplane.cluster.Self;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.purge.Purger;
import dev.kvstore.dataplane.region.OtherRegions;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.EarlySettings;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.service.KvStoreService;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.settings.SettingRange;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A data plane as the process assembles it, on a free port of this JVM, with one tenant and a generated stub. */
public final class DataPlaneFixture implements AutoCloseable {
    public static final String RESOURCE = "demo";
    public static final String OTHERS_RESOURCE = "others";
    public static final String KEY = "kv_0a1b2c3d_not-a-secret-since-it-stands-here";

    private static final AtomicInteger NODES = new AtomicInteger();

    private final AtomicLong clock = new AtomicLong();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PurgeRules purgeRules = new PurgeRules(true);
    private final Presence presence;
    private final MemoryPool memory;
    private final DiskTier disk;
    private final MemoryTier tier;
    private final Tiers tiers;
    private final InboundMeter inbound;
    private final StoreCache stores;
    private final Heat heat;
    private final Admission admission;
    private final ListenerConnections connections;
    private final Strangers strangers;
    private final KvStoreService service;
    private final Server server;
    private final Optional<ListenerTls> tls;
    private final @Nullable Path trust;
    private final ManagedChannel channel;
    private final DataPlaneSettings settings;
    private final AccountResolver accounts;
    private final Announcer announcer;
    private final CallMeter calls;
    private final Drain drain;
    private final PeerToken token;
    private volatile @Nullable SocketAddress lastCaller;
    private @Nullable ClusterLife life;
    private @Nullable ControlPlaneReplicas link;
    private @Nullable Membership membership;

    /** A data plane whose stores come from {@code opener}; settings by the names of {@link DataPlaneSettings}. */
    public DataPlaneFixture(StorageLocation storage, StoreCache.Opener opener, Map<String, String> settings) {
        this(storage, opener, settings, null);
    }

    /** As above, spoken to over TLS if its clients are to trust the certificates in a file. */
    public DataPlaneFixture(
            StorageLocation storage, StoreCache.Opener opener, Map<String, String> settings, @Nullable Path trust) {
        this(oneTenant(storage), opener, settings, trust);
    }

    /** A data plane of the tenants that a resolver knows. */
    public DataPlaneFixture(AccountResolver accounts, StoreCache.Opener opener) {
        this(accounts, opener, Map.of(), null);
    }

    /** A data plane with settings by the names of {@link DataPlaneSettings}. */
    public DataPlaneFixture(AccountResolver accounts, StoreCache.Opener opener, Map<String, String> settings) {
        this(accounts, opener, settings, null);
    }

    /** As above, spoken to over TLS if its clients are to trust the certificates in a file. */
    public DataPlaneFixture(
            AccountResolver accounts, StoreCache.Opener opener, Map<String, String> settings, @Nullable Path trust) {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder()
                .withDefaultValue("kvstore.accounts", "unused")
                .withDefaultValue("kvstore.node-name", "node-" + NODES.incrementAndGet());
        settings.forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        DataPlaneSettings mapped = EarlySettings.read(config);
        DataPlaneWiring wiring = new DataPlaneWiring(mapped, clock::get);
        try {
            this.tls = wiring.tls();
        } catch (BadPemException e) {
            throw new IllegalArgumentException(e.flaw(), e);
        }
        this.trust = trust;
        this.memory = wiring.memory();
        this.stores = new StoreCache(opener);
        this.disk = wiring.diskTier(memory, stores);
        this.tier = wiring.memoryTier(disk, stores);
        this.inbound = wiring.inbound();
        VerifiedBlocks blocks = wiring.blocks(memory, stores);
        this.tiers = wiring.tiers(tier, disk, purgeRules);
        ClusterWiring cluster = new ClusterWiring(mapped);
        try {
            this.announcer = cluster.announcer(tls, cluster.told());
        } catch (BadPemException e) {
            throw new IllegalArgumentException(e.flaw(), e);
        }
        this.presence = wiring.presence(tiers, memory, meters, announcer);
        this.heat = Heat.none(InstantSource.system(), _ -> {});
        this.admission = wiring.admission();
        OtherRegions regions = wiring.otherRegions(
                stores, presence, tiers, memory, wiring.landing(blocks, presence, memory, purgeRules), meters);
        this.service = wiring.service(accounts, stores, blocks, presence, regions, tiers, heat, memory, admission);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .intercept(new LastCaller())
                .addService(service)
                .addService(cluster.peerCalls(presence))
                .addService(new ServingHealth());
        this.connections = wiring.connections();
        this.settings = mapped;
        this.accounts = accounts;
        this.calls = wiring.calls(meters);
        this.drain = wiring.drain();
        this.token = cluster.token();
        this.strangers = wiring.strangers(accounts);
        new GrpcTransport(mapped, inbound, connections, accounts, strangers, tls, calls, drain, token)
                .customize(builder, "test");
        try {
            this.server = builder.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.channel = channel();
    }

    /** Remembers where the last call came from. */
    private final class LastCaller implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            lastCaller = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
            return next.startCall(call, headers);
        }
    }

    /** Where the last call came from that was let in; null before the first. */
    public @Nullable SocketAddress lastCaller() {
        return lastCaller;
    }

    /** gRPC's own health service of a process that serves. */
    private static final class ServingHealth extends HealthGrpc.HealthImplBase {
        private static final HealthCheckResponse SERVING = HealthCheckResponse.newBuilder()
                .setStatus(HealthCheckResponse.ServingStatus.SERVING)
                .build();

        @Override
        public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> caller) {
            caller.onNext(SERVING);
            caller.onCompleted();
        }

        @Override
        public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> caller) {
            caller.onNext(SERVING);
        }
    }

    private static AccountResolver oneTenant(StorageLocation storage) {
        return oneTenant(new Account(RESOURCE, "tenant", storage));
    }

    /** Knows the key of this fixture, and what it may use all of. */
    public static AccountResolver oneTenant(Account account) {
        return new InMemoryAccountResolver(List.of(
                new InMemoryAccountResolver.Tenant(
                        "tenant",
                        List.of(new InMemoryAccountResolver.ConfiguredKey("0a1b2c3d", sha256(KEY))),
                        List.of(account)),
                new InMemoryAccountResolver.Tenant(
                        "other",
                        List.of(),
                        List.of(new Account(
                                OTHERS_RESOURCE, "other", new StorageLocation.Filesystem(Path.of("never-opened")))))));
    }

    /** A tenant with one key and one account, both in its name. */
    public static InMemoryAccountResolver.Tenant tenant(String name) {
        return new InMemoryAccountResolver.Tenant(
                name,
                List.of(new InMemoryAccountResolver.ConfiguredKey(name, sha256(key(name)))),
                List.of(new Account(name, name, new StorageLocation.Filesystem(Path.of("/storage/of/" + name)))));
    }

    /** The key of such a tenant. */
    public static String key(String tenant) {
        return "kv_" + tenant + "_not-a-secret-since-it-stands-here";
    }

    public DataPlaneFixture(StorageLocation storage, StoreCache.Opener opener) {
        this(storage, opener, Map.of());
    }

    /** Joins a cluster, as the process does once it serves; takes the link for its own. Needs the setting "cluster". */
    public Membership join(ControlPlaneReplicas plane) {
        Self self = new Self(
                settings.cluster().orElseThrow(),
                settings.nodeName(),
                UUID.randomUUID().toString(),
                endpoint(),
                "",
                OptionalInt.empty(),
                token,
                "test");
        Membership member = new Membership(
                plane,
                self,
                new ProcessLoad(1_000_000, admission, calls, memory, tier, disk),
                new Instructed(drain, announcer, accounts),
                InstantSource.system(),
                new SplittableRandom());
        link = plane;
        membership = member;
        life = new ClusterLife(
                Optional.of(member),
                announcer,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                drain,
                calls,
                settings);
        life.start(new StartupEvent());
        life.join();
        return member;
    }

    /** As the process does after SIGTERM, before what serves is stopped; only after it joined. */
    public void finish() throws InterruptedException {
        ClusterLife mine = life;
        if (mine == null) {
            throw new IllegalStateException("not a member");
        }
        mine.stop(new ShutdownEvent());
    }

    /** The purges that it knows: at first that there are none. */
    public PurgeRules purgeRules() {
        return purgeRules;
    }

    /** Follows purges, as a member does. */
    public Purger purger(ControlPlaneReplicas plane) {
        return new Purger(plane, () -> "lease", purgeRules, presence, stores, new VerifiedBlocks(memory));
    }

    public Heat heat() {
        return heat;
    }

    public Drain drain() {
        return drain;
    }

    public CallMeter calls() {
        return calls;
    }

    /** Peers that hear of blocks as they are stored. */
    public int peers() {
        return announcer.peers();
    }

    /** The token that peers show. */
    public String peerToken() {
        return token.secret();
    }

    /** The meters of presence and of other regions. */
    public MeterRegistry meters() {
        return meters;
    }

    /** Has it tell others what it stored, as it does every 5 s. */
    public void beat() {
        presence.beat().join();
    }

    /** Has it tell others the rest, as it does before it ends. */
    public void lastBeat() {
        presence.close();
    }

    /** Lets its clock go on; this is all the time that presence knows. */
    public void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** The least an operator may give, by the names of {@link DataPlaneSettings}. */
    public static Map<String, String> leastSettings() {
        return DataPlaneSettings.DECLARED.ranges().stream()
                .filter(range -> !range.least().isEmpty())
                .collect(Collectors.toMap(range -> range.name().substring("kvstore.".length()), SettingRange::least));
    }

    public int port() {
        return server.getPort();
    }

    /** One more connection, as small as a client may make it. */
    public ManagedChannel channel() {
        return channelBuilder().build();
    }

    /** A connection whose client lets little through before it reads. */
    public ManagedChannel narrowChannel() {
        return channelBuilder().flowControlWindow(64 * 1024).build();
    }

    private NettyChannelBuilder channelBuilder() {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES);
        if (trust == null) {
            return builder.usePlaintext();
        }
        try {
            return builder.sslContext(
                    GrpcSslContexts.forClient().trustManager(trust.toFile()).build());
        } catch (SSLException e) {
            throw new IllegalArgumentException("no trust in " + trust, e);
        }
    }

    public String endpoint() {
        return "127.0.0.1:" + server.getPort();
    }

    /** Its TLS; a test looks at the files by {@code poll}, which nobody else does here. */
    ListenerTls tls() {
        return tls.orElseThrow();
    }

    /** A stub that says nothing of who it is. */
    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stubWithoutKey() {
        return KVStoreServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stub() {
        return stub(KEY);
    }

    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stub(String key) {
        return stub(channel, key);
    }

    /** As {@link #stub()}, over another connection. */
    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stub(ManagedChannel over) {
        return stub(over, KEY);
    }

    private static KVStoreServiceGrpc.KVStoreServiceBlockingStub stub(ManagedChannel over, String key) {
        return KVStoreServiceGrpc.newBlockingStub(over)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(authorization(key)))
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public KVStoreServiceGrpc.KVStoreServiceStub asyncStub() {
        return asyncStub(channel);
    }

    public KVStoreServiceGrpc.KVStoreServiceStub asyncStub(ManagedChannel over) {
        return KVStoreServiceGrpc.newStub(over)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(authorization(KEY)));
    }

    /** A stub over the given channel, with another key. */
    public KVStoreServiceGrpc.KVStoreServiceStub asyncStub(ManagedChannel over, String key) {
        return KVStoreServiceGrpc.newStub(over)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(authorization(key)));
    }

    private static Metadata authorization(String key) {
        Metadata headers = new Metadata();
        headers.put(Credentials.AUTHORIZATION, Credentials.bearer(key));
        return headers;
    }

    /** Off-heap memory that blocks occupy beyond the tier. */
    public long transferBytes() {
        return memory.usedBytes() - tier.usedBytes();
    }

    public DiskTier disk() {
        return disk;
    }

    public MemoryTier tier() {
        return tier;
    }

    /** Answers of unary reads that clients have not taken. */
    public long unarySendBytes() {
        return service.unarySendBytes();
    }

    /** The calls that are open. */
    public Admission admission() {
        return admission;
    }

    public ListenerConnections connections() {
        return connections;
    }

    /** Calls whose key is not known. */
    public Strangers strangers() {
        return strangers;
    }

    public long inboundBytes() {
        return inbound.heldBytes();
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (membership != null) {
            membership.close();
        }
        if (link != null) {
            link.close();
        }
        announcer.close();
        channel.shutdownNow();
        server.shutdownNow();
        stores.close();
        tiers.close();
    }
}
