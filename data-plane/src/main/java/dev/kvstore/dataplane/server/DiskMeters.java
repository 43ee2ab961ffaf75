package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.tier.disk.DiskCounters;
import dev.kvstore.dataplane.tier.disk.DiskState;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.LongAdder;

/** What the disk tier tells of itself at {@code /q/metrics}. */
@Singleton
public final class DiskMeters {
    void register(@Observes StartupEvent started, MeterRegistry meters, DiskTier disk) {
        DiskCounters counters = disk.counters();
        count(meters, "hits", counters.hits(), "Blocks found on disk, or on their way there");
        count(meters, "misses", counters.misses(), "Blocks found neither in memory nor on disk");
        count(meters, "evictions", counters.evictions(), "Blocks that left the disk for others");
        count(meters, "demotions", counters.demotions(), "Blocks that left memory and were written to disk");
        count(meters, "demotions.dropped", counters.dropped(), "Blocks that left memory and were not written");
        count(meters, "errors", counters.errors(), "Reads and writes of the disk that failed");
        count(meters, "damaged", counters.damaged(), "Blocks on disk that failed a checksum");
        Gauge.builder("kvstore.disk.tier.used", disk, DiskTier::usedBytes)
                .baseUnit("bytes")
                .description("Disk that files of the tier take up, or will when they are full")
                .register(meters);
        Gauge.builder("kvstore.disk.tier.limit", disk, DiskTier::limitBytes)
                .baseUnit("bytes")
                .description("Most disk that files of the tier take up")
                .register(meters);
        Gauge.builder("kvstore.disk.tier.blocks", disk, DiskTier::blocks)
                .description("Blocks on disk")
                .register(meters);
        for (DiskState.Condition condition : DiskState.Condition.values()) {
            Gauge.builder("kvstore.disk.tier.state", disk, tier -> tier.state().condition() == condition ? 1 : 0)
                    .tag("state", condition.word())
                    .description("1 for the state the tier is in; readiness says why")
                    .register(meters);
        }
    }

    private static void count(MeterRegistry meters, String name, LongAdder counter, String description) {
        FunctionCounter.builder("kvstore.disk.tier." + name, counter, LongAdder::sum)
                .description(description)
                .register(meters);
    }
}
