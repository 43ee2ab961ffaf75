package dev.kvstore.dataplane.server;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.AccountsFile;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.call.InboundMeter;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.OtherRegions;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.StorageLatency;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.service.BlockIngest;
import dev.kvstore.dataplane.service.KvStoreService;
import dev.kvstore.dataplane.service.RequestAuthorisation;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.dataplane.storage.azure.Transport;
import dev.kvstore.dataplane.storage.http.LocalAddresses;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.dataplane.warming.Warmed;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.listener.NewConnections;
import dev.kvstore.protocol.tls.BadPemException;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts the parts together, each once. */
@Singleton
public final class DataPlaneWiring {
    private static final Logger LOG = System.getLogger(DataPlaneWiring.class.getName());

    /**
     * At most an eighth of the memory for blocks on their way holds blocks that were read through and are yet to be
     * stored.
     */
    private static final int FILLING_PART = 8;

    private final DataPlaneSettings settings;
    private final Ticker ticker;
    private final DescribedPartitions described;
    private final Executor executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("call-", 0).factory());

    @Inject
    DataPlaneWiring(DataPlaneSettings settings) {
        this(settings, Ticker.systemTicker());
    }

    DataPlaneWiring(DataPlaneSettings settings, Ticker ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.described = new DescribedPartitions(ticker);
    }

    /** The files were found usable before the application started. */
    @Produces
    @Singleton
    Optional<ListenerTls> tls() throws BadPemException {
        return ListenerTlsFiles.open(settings, InstantSource.system());
    }

    @Produces
    @Singleton
    Optional<ControlPlaneReplicas> controlPlane(Optional<ListenerTls> tls) throws BadPemException {
        return settings.accounts().isPresent()
                ? Optional.empty()
                : Optional.of(ControlPlaneLink.open(settings, tls, System.getenv()));
    }

    /** The resolver of accounts; closing it closes the connection to the control plane, after all its users. */
    @Produces
    @Singleton
    AccountResolver accounts(Optional<ControlPlaneReplicas> plane, StoreCache stores, MemoryPool memory) {
        if (settings.accounts().isPresent()) {
            return new InMemoryAccountResolver(
                    AccountsFile.read(settings.accounts().get(), settings.blobDnsSuffix()));
        }
        return new ControlPlaneAccountResolver(
                plane.orElseThrow(),
                new ControlPlaneAccountResolver.ResolverSelf(
                        settings.nodeName(), settings.region().orElse("")),
                settings.statePath(),
                stores,
                memory,
                new SecureRandom(),
                executor);
    }

    void close(@Disposes AccountResolver accounts) {
        accounts.close();
    }

    @Produces
    @Singleton
    StoreCache stores(StoreConditions conditions, MeterRegistry meters) {
        StoreOpener opener =
                new StoreOpener(outbound(), addedLatency(), conditions, meters, System.getenv(), secretFiles());
        return new StoreCache(opener, ticker);
    }

    /**
     * Logs the added latency as a warning, since an operator who has set it by mistake would look for another cause.
     */
    private AddedLatency addedLatency() {
        AddedLatency added =
                settings.addedStorageLatency().map(StorageLatency::added).orElse(AddedLatency.NONE);
        if (!added.isNone()) {
            LOG.log(
                    Level.WARNING,
                    "kvstore.added-storage-latency is set: every read of storage takes {0} ms longer, every write {1}"
                            + " ms",
                    added.reads().toMillis(),
                    added.writes().toMillis());
        }
        return added;
    }

    @Produces
    @Singleton
    StoreConditions storeConditions() {
        return new StoreConditions(InstantSource.system());
    }

    @Produces
    @Singleton
    @SuppressWarnings("deprecation") // nothing else of Vert.x tells its event loops
    EventLoops eventLoops(Vertx vertx) {
        return new EventLoops(vertx.nettyEventLoopGroup(), ticker);
    }

    /** Files that no account may name as its credential. */
    private Set<Path> secretFiles() {
        return Stream.of(settings.joinTokenFile(), settings.tlsKey())
                .flatMap(Optional::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Outbound outbound() {
        return new Outbound(
                Transport.of(settings.transport()),
                settings.maxStorageConnections(),
                StorageFiles.connections(settings.maxAllStorageConnections()),
                settings.storageProxy().orElse(null),
                settings.dnsTtl(),
                settings.localAddresses().map(LocalAddresses::of).orElse(List.of()));
    }

    void close(@Disposes StoreCache stores) {
        stores.close();
    }

    @Produces
    @Singleton
    MemoryPool memory() {
        return new MemoryPool(
                settings.memoryTierSize().asLongValue()
                        + settings.transferMemory().asLongValue(),
                settings.memoryWaitTimeout());
    }

    @Produces
    @Singleton
    DiskTier diskTier(MemoryPool memory, StoreCache stores) {
        long bytes = settings.diskTierSize().asLongValue();
        return bytes == 0
                ? DiskTier.none(memory)
                : DiskTier.open(
                        DiskSettings.of(
                                LocalDisk.folder(settings),
                                bytes,
                                settings.memoryTierSize().asLongValue()),
                        memory,
                        stores::owner,
                        ticker);
    }

    @Produces
    @Singleton
    MemoryTier memoryTier(DiskTier disk, StoreCache stores) {
        long bytes = settings.memoryTierSize().asLongValue();
        long queued = settings.diskTierSize().asLongValue() == 0 ? 0 : DiskSettings.queueBytes(bytes);
        return new MemoryTier(bytes - queued, key -> stores.owner(key.storage()), disk::demote);
    }

    @Produces
    @Singleton
    VerifiedBlocks blocks(MemoryPool memory, StoreCache stores) {
        return new VerifiedBlocks(memory, stores::owner);
    }

    @Produces
    @Singleton
    PurgeRules purgeRules() {
        // A process that is no member of a cluster hears of no purges.
        return new PurgeRules(settings.cluster().isEmpty());
    }

    @Produces
    @Singleton
    Tiers tiers(MemoryTier memory, DiskTier disk, PurgeRules purged) {
        return new Tiers(memory, disk, purged, executor);
    }

    void close(@Disposes Tiers tiers) {
        tiers.close();
    }

    @Produces
    @Singleton
    Presence presence(Tiers tiers, MemoryPool memory, MeterRegistry meters, Announcer announcer) {
        return new Presence(
                tiers,
                memory,
                new Presence.PresenceCapacity(
                        settings.maxVerifiedBlocks(),
                        settings.presenceFilterMemory().asLongValue()),
                // Clusters of two regions may name their processes alike, and meet in a region's storage.
                settings.cluster().map(cluster -> cluster + "-").orElse("") + settings.nodeName(),
                ticker,
                new SecureRandom(),
                executor,
                meters,
                announcer);
    }

    @Produces
    @Singleton
    Heat heat(Warmed warmed) {
        return settings.cluster().isEmpty() ? Heat.unheard() : Heat.none(InstantSource.system(), warmed::used);
    }

    @Produces
    @Singleton
    VerifiedBlockImporter landing(VerifiedBlocks blocks, Presence presence, MemoryPool memory, PurgeRules purged) {
        return new VerifiedBlockImporter(blocks, presence, memory, purged, described);
    }

    @Produces
    @Singleton
    OtherRegions otherRegions(
            StoreCache stores,
            Presence presence,
            Tiers tiers,
            MemoryPool memory,
            VerifiedBlockImporter importer,
            MeterRegistry meters) {
        return new OtherRegions(
                new OtherRegions.RegionDependencies(
                        stores,
                        presence,
                        tiers,
                        memory,
                        importer,
                        new AddedLatency(settings.addedRegionLatency(), settings.addedRegionLatency())),
                settings.transferMemory().asLongValue() / FILLING_PART,
                meters,
                ticker,
                executor);
    }

    @Produces
    @Singleton
    Drain drain() {
        return new Drain(settings.drainGracePeriod(), ticker);
    }

    @Produces
    @Singleton
    CallMeter calls(MeterRegistry meters) {
        return new CallMeter(meters);
    }

    @Produces
    @Singleton
    InboundMeter inbound() {
        return new InboundMeter(settings.inboundMemory().asLongValue());
    }

    @Produces
    @Singleton
    Admission admission() {
        return new Admission(operations(settings.maxOperations()), operations(settings.maxLookups()));
    }

    @Produces
    @Singleton
    ListenerConnections connections() {
        return new ListenerConnections(
                settings.maxConnections(),
                new NewConnections(settings.maxNewConnections(), System::nanoTime),
                ListenerConnections.Surplus.IDLE);
    }

    @Produces
    @Singleton
    Strangers strangers(AccountResolver accounts) {
        return new Strangers(accounts, ticker, executor);
    }

    private CallAdmission operations(int limit) {
        return new CallAdmission(limit, settings.maxIdleCalls(), ticker, new SplittableRandom());
    }

    @Produces
    @Singleton
    KvStoreService service(
            AccountResolver accounts,
            StoreCache stores,
            VerifiedBlocks blocks,
            Presence presence,
            OtherRegions regions,
            Tiers tiers,
            Heat heat,
            MemoryPool memory,
            Admission admission) {
        ServiceLimits limits = new ServiceLimits(
                settings.streamPrefetchMemory().asLongValue(),
                settings.transferMemory().asLongValue() / 2,
                settings.unreadResponseMemory().asLongValue(),
                settings.memoryWaitTimeout(),
                settings.clientStallTimeout());
        return new KvStoreService(
                new RequestAuthorisation(accounts, stores, blocks, presence, regions, memory),
                tiers,
                heat,
                new BlockIngest(blocks, tiers, presence, heat, described, memory),
                limits,
                admission,
                executor);
    }
}
