package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.InboundMeter;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.dataplane.metrics.StorageMetrics;
import dev.kvstore.dataplane.metrics.TierMetrics;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.settings.Version;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The process' own metrics at {@code /q/metrics}, beside those of stores. */
@Singleton
public final class ProcessMeters {
    void register(
            @Observes StartupEvent started,
            DataPlaneSettings settings,
            MeterRegistry meters,
            MemoryTier tier,
            MemoryPool pool,
            VerifiedBlocks blocks,
            InboundMeter inbound,
            Admission admission,
            ListenerConnections connections,
            Strangers strangers,
            Optional<ListenerTls> tls,
            Vertx vertx) {
        String node = settings.numaNode().isPresent() ? "" + settings.numaNode().getAsInt() : "none";
        ServerMetrics.INFO.gauge(
                meters,
                this,
                _ -> 1,
                Version.text(),
                vertx.isNativeTransportEnabled() ? "native" : "java",
                settings.transport(),
                tls.isPresent() ? ListenerTls.stack() : "none",
                node);
        TierMetrics.MEMORY_HITS.counter(meters, tier, MemoryTier::hits);
        TierMetrics.MEMORY_MISSES.counter(meters, tier, MemoryTier::misses);
        TierMetrics.MEMORY_EVICTIONS.counter(meters, tier, MemoryTier::evictions);
        TierMetrics.MEMORY_USED.gauge(meters, tier, MemoryTier::usedBytes);
        TierMetrics.MEMORY_LIMIT.gauge(meters, tier, MemoryTier::budgetBytes);
        TierMetrics.MEMORY_TENANTS.gauge(meters, tier, MemoryTier::owners);
        TierMetrics.MEMORY_LARGEST_TENANT.gauge(meters, tier, MemoryTier::mostOfOneOwner);
        TierMetrics.TRANSFER_LARGEST_TENANT.gauge(meters, pool, MemoryPool::mostOfOneHolder);
        TierMetrics.POOL_USED.gauge(meters, pool, MemoryPool::usedBytes);
        TierMetrics.POOL_LIMIT.gauge(meters, pool, MemoryPool::limitBytes);
        TierMetrics.POOL_COMMITTED.gauge(meters, pool, _ -> MemoryPool.heldBytes());
        TierMetrics.POOL_REFUSALS.counter(meters, pool, MemoryPool::refusals);
        ServerMetrics.INBOUND_MEMORY_USED.gauge(meters, inbound, InboundMeter::heldBytes);
        register(meters, "blocks", admission.blocks());
        register(meters, "lookups", admission.lookups());
        ServerMetrics.CONNECTIONS_OPEN.gauge(meters, connections, ListenerConnections::open);
        ServerMetrics.CONNECTIONS_LIMIT.gauge(meters, connections, ListenerConnections::limit);
        ServerMetrics.CONNECTIONS_UNAUTHENTICATED.gauge(meters, connections, ListenerConnections::waiting);
        ServerMetrics.CONNECTIONS_REFUSED.counter(meters, connections, ListenerConnections::refused);
        for (ListenerConnections.CloseReason reason : ListenerConnections.CloseReason.values()) {
            ServerMetrics.CONNECTIONS_CLOSED.counter(meters, connections, of -> of.closed(reason), reason.tag());
        }
        ServerMetrics.UNAUTHENTICATED_WAITING.gauge(meters, strangers, Strangers::waiting);
        for (Strangers.StrangerRefusal reason : Strangers.StrangerRefusal.values()) {
            ServerMetrics.UNAUTHENTICATED_REFUSED.counter(meters, strangers, of -> of.refused(reason), reason.tag());
        }
        StorageMetrics.DAMAGED_BLOCKS.counter(meters, blocks, VerifiedBlocks::damaged);
    }

    private static void register(MeterRegistry meters, String kind, CallAdmission callAdmission) {
        ServerMetrics.OPERATIONS_RUNNING.gauge(meters, callAdmission, CallAdmission::running, kind);
        ServerMetrics.OPERATIONS_LIMIT.gauge(meters, callAdmission, CallAdmission::limit, kind);
        ServerMetrics.OPERATIONS_TENANTS.gauge(meters, callAdmission, CallAdmission::parties, kind);
        ServerMetrics.OPERATIONS_LARGEST_TENANT.gauge(meters, callAdmission, CallAdmission::mostOfOneParty, kind);
        ServerMetrics.OPERATIONS_IDLE.gauge(meters, callAdmission, CallAdmission::waiting, kind);
        for (CallAdmission.AdmissionRefusal reason : CallAdmission.AdmissionRefusal.values()) {
            ServerMetrics.OPERATIONS_REFUSED.counter(
                    meters, callAdmission, of -> of.refused(reason), kind, reason.tag());
        }
    }
}
