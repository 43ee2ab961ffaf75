package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.Blocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.service.InboundMeter;
import dev.kvstore.dataplane.service.KvStoreService;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A data plane as the process assembles it, on a free port of this JVM, with one tenant and a generated stub. */
public final class DataPlaneFixture implements AutoCloseable {
    public static final String RESOURCE = "demo";
    public static final String OTHERS_RESOURCE = "others";
    public static final String KEY = "kv_0a1b2c3d_not-a-secret-since-it-stands-here";

    private final MemoryPool memory;
    private final DiskTier disk;
    private final MemoryTier tier;
    private final Tiers tiers;
    private final InboundMeter inbound;
    private final StoreCache stores;
    private final KvStoreService service;
    private final Server server;
    private final ManagedChannel channel;

    /** A data plane whose stores come from {@code opener}; settings by the names of {@link Settings}. */
    public DataPlaneFixture(StorageLocation storage, StoreCache.Opener opener, Map<String, String> settings) {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder().withDefaultValue("kvstore.accounts", "unused");
        settings.forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        Settings mapped = EarlySettings.read(config);
        Wiring wiring = new Wiring(mapped);
        AccountResolver accounts = new InMemoryAccountResolver(List.of(
                new InMemoryAccountResolver.Tenant(
                        "tenant",
                        List.of(new InMemoryAccountResolver.Key("0a1b2c3d", sha256(KEY))),
                        List.of(new Account(RESOURCE, "tenant", storage))),
                new InMemoryAccountResolver.Tenant(
                        "other",
                        List.of(),
                        List.of(new Account(
                                OTHERS_RESOURCE, "other", new StorageLocation.Filesystem(Path.of("never-opened")))))));
        this.memory = wiring.memory();
        this.disk = wiring.diskTier(memory);
        this.tier = wiring.memoryTier(disk);
        this.inbound = wiring.inbound();
        this.stores = new StoreCache(opener);
        Blocks blocks = wiring.blocks(memory);
        this.tiers = wiring.tiers(tier, disk, blocks);
        this.service = wiring.service(accounts, stores, wiring.presence(tiers), tiers, blocks, memory);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .addService(service);
        new GrpcTransport(mapped, inbound, accounts).customize(builder, "test");
        try {
            this.server = builder.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.channel = channel();
    }

    public DataPlaneFixture(StorageLocation storage, StoreCache.Opener opener) {
        this(storage, opener, Map.of());
    }

    /** The least an operator may give, by the names of {@link Settings}. */
    public static Map<String, String> leastSettings() {
        return SettingRange.ALL.stream()
                .collect(Collectors.toMap(range -> range.name().substring("kvstore.".length()), SettingRange::least));
    }

    /** One more connection, as small as a client may make it. */
    public ManagedChannel channel() {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .build();
    }

    /** A connection whose client lets little through before it reads. */
    public ManagedChannel narrowChannel() {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .flowControlWindow(64 * 1024)
                .build();
    }

    /** A stub that says nothing of who it is. */
    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stubWithoutKey() {
        return KVStoreServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stub() {
        return stub(KEY);
    }

    public KVStoreServiceGrpc.KVStoreServiceBlockingStub stub(String key) {
        return KVStoreServiceGrpc.newBlockingStub(channel)
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
        channel.shutdownNow();
        server.shutdownNow();
        stores.close();
        tiers.close();
    }
}
