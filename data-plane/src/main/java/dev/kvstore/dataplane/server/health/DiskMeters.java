package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.metrics.TierMetrics;
import dev.kvstore.dataplane.tier.disk.DiskCounters;
import dev.kvstore.dataplane.tier.disk.DiskState;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.metrics.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.LongAdder;

/** The metrics of the disk tier at {@code /q/metrics}. */
@Singleton
public final class DiskMeters {
    void register(@Observes StartupEvent started, MeterRegistry meters, DiskTier disk) {
        DiskCounters counters = disk.counters();
        count(meters, TierMetrics.DISK_HITS, counters.hits());
        count(meters, TierMetrics.DISK_MISSES, counters.misses());
        count(meters, TierMetrics.DISK_EVICTIONS, counters.evictions());
        count(meters, TierMetrics.DISK_DEMOTIONS, counters.demotions());
        count(meters, TierMetrics.DISK_DROPPED_DEMOTIONS, counters.dropped());
        count(meters, TierMetrics.DISK_ERRORS, counters.errors());
        count(meters, TierMetrics.DISK_DAMAGED_BLOCKS, counters.damaged());
        TierMetrics.DISK_USED.gauge(meters, disk, DiskTier::usedBytes);
        TierMetrics.DISK_LIMIT.gauge(meters, disk, DiskTier::limitBytes);
        TierMetrics.DISK_BLOCKS.gauge(meters, disk, DiskTier::blocks);
        for (DiskState.Condition condition : DiskState.Condition.values()) {
            TierMetrics.DISK_STATE.gauge(
                    meters, disk, tier -> tier.state().condition() == condition ? 1 : 0, condition.word());
            if (condition != DiskState.Condition.NONE) {
                TierMetrics.DISK_DISKS.gauge(meters, disk, tier -> disks(tier, condition), condition.word());
            }
        }
    }

    private static long disks(DiskTier tier, DiskState.Condition condition) {
        return tier.states().stream()
                .filter(state -> state.condition() == condition)
                .count();
    }

    private static void count(MeterRegistry meters, Metric metric, LongAdder counter) {
        metric.counter(meters, counter, LongAdder::sum);
    }
}
