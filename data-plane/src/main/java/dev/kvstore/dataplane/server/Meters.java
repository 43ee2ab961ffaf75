package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.block.Blocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.service.InboundMeter;
import dev.kvstore.dataplane.service.Operations;
import dev.kvstore.dataplane.tier.MemoryTier;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;

/** What the process tells of itself at {@code /q/metrics}, beside what stores count. */
@Singleton
public final class Meters {
    void register(
            @Observes StartupEvent started,
            Settings settings,
            MeterRegistry meters,
            MemoryTier tier,
            MemoryPool pool,
            Blocks blocks,
            InboundMeter inbound,
            Admission admission,
            Connections connections,
            Optional<ListenerTls> tls,
            Vertx vertx) {
        Gauge.builder("kvstore.info", () -> 1)
                .tag("version", Version.text())
                .tag("storage_transport", settings.transport())
                .tag("transport", vertx.isNativeTransportEnabled() ? "native" : "java")
                .tag("tls", tls.isPresent() ? ListenerTls.stack() : "none")
                .tag(
                        "numa_node",
                        settings.numaNode().isPresent()
                                ? "" + settings.numaNode().getAsInt()
                                : "none")
                .description("Always 1; its labels say what runs")
                .register(meters);
        FunctionCounter.builder("kvstore.memory.tier.hits", tier, MemoryTier::hits)
                .description("Blocks found in memory")
                .register(meters);
        FunctionCounter.builder("kvstore.memory.tier.misses", tier, MemoryTier::misses)
                .description("Blocks not found in memory")
                .register(meters);
        FunctionCounter.builder("kvstore.memory.tier.evictions", tier, MemoryTier::evictions)
                .description("Blocks that left memory for others")
                .register(meters);
        Gauge.builder("kvstore.memory.tier.used", tier, MemoryTier::usedBytes)
                .baseUnit("bytes")
                .description("Off-heap memory of blocks kept")
                .register(meters);
        Gauge.builder("kvstore.memory.tier.limit", tier, MemoryTier::budgetBytes)
                .baseUnit("bytes")
                .description("Most off-heap memory of blocks kept")
                .register(meters);
        Gauge.builder("kvstore.memory.pool.used", pool, MemoryPool::usedBytes)
                .baseUnit("bytes")
                .description("Off-heap memory of blocks kept, or on their way in or out")
                .register(meters);
        Gauge.builder("kvstore.memory.pool.held", MemoryPool::heldBytes)
                .baseUnit("bytes")
                .description("Off-heap memory for blocks that the system gave")
                .register(meters);
        Gauge.builder("kvstore.inbound.held", inbound, InboundMeter::heldBytes)
                .baseUnit("bytes")
                .description("Network memory of messages not yet done with")
                .register(meters);
        FunctionCounter.builder("kvstore.memory.pool.refusals", pool, MemoryPool::refusals)
                .description("Allocations that waited longer than memory-wait-timeout")
                .register(meters);
        Gauge.builder("kvstore.memory.pool.limit", pool, MemoryPool::limitBytes)
                .baseUnit("bytes")
                .description("Most off-heap memory of blocks")
                .register(meters);
        register(meters, "blocks", admission.blocks());
        register(meters, "lookups", admission.lookups());
        Gauge.builder("kvstore.connections.open", connections, Connections::open)
                .description("Connections of clients")
                .register(meters);
        Gauge.builder("kvstore.connections.limit", connections, Connections::limit)
                .description("Most connections of clients")
                .register(meters);
        FunctionCounter.builder("kvstore.connections.refused", connections, Connections::refused)
                .description("Connections closed beyond the limit")
                .register(meters);
        FunctionCounter.builder("kvstore.blocks.damaged", blocks, Blocks::damaged)
                .description("Stored blocks that failed a checksum")
                .register(meters);
    }

    private static void register(MeterRegistry meters, String kind, Operations operations) {
        Gauge.builder("kvstore.operations.running", operations, Operations::running)
                .tag("kind", kind)
                .description("Calls that are being served")
                .register(meters);
        Gauge.builder("kvstore.operations.limit", operations, Operations::limit)
                .tag("kind", kind)
                .description("Most calls served at a time")
                .register(meters);
        Gauge.builder("kvstore.operations.waiting", operations, Operations::waiting)
                .tag("kind", kind)
                .description("Open calls that wait for their client")
                .register(meters);
        for (Operations.Reason reason : Operations.Reason.values()) {
            FunctionCounter.builder("kvstore.operations.refused", operations, of -> of.refused(reason))
                    .tag("kind", kind)
                    .tag("reason", reason.tag())
                    .description("Calls refused with a hint when to come back")
                    .register(meters);
        }
    }
}
