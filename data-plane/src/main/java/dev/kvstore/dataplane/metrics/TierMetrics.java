package dev.kvstore.dataplane.metrics;

import static dev.kvstore.metrics.Metric.counter;
import static dev.kvstore.metrics.Metric.gauge;

import dev.kvstore.metrics.Metric;
import java.util.List;

/** Metrics of memory and disk. */
public final class TierMetrics {
    public static final Metric MEMORY_HITS =
            counter("kvstore_memory_tier_hits_total", "Blocks found in the memory tier.");

    public static final Metric MEMORY_MISSES =
            counter("kvstore_memory_tier_misses_total", "Blocks not found in the memory tier.");

    public static final Metric MEMORY_EVICTIONS =
            counter("kvstore_memory_tier_evictions_total", "Blocks that left the memory tier to make room for others.");

    public static final Metric MEMORY_USED =
            gauge("kvstore_memory_tier_used_bytes", "Off-heap memory of the blocks in the memory tier.");

    public static final Metric MEMORY_LIMIT =
            gauge("kvstore_memory_tier_limit_bytes", "Most off-heap memory of the blocks in the memory tier.");

    public static final Metric MEMORY_TENANTS = gauge(
            "kvstore_memory_tier_tenants",
            "Tenants that used a block in the last 10 minutes; each keeps its equal share of the memory tier.");

    public static final Metric MEMORY_LARGEST_TENANT = gauge(
            "kvstore_memory_tier_largest_tenant_bytes",
            "Off-heap memory of the blocks in the memory tier of the tenant that has most there.");

    public static final Metric TRANSFER_LARGEST_TENANT = gauge(
            "kvstore_transfer_memory_largest_tenant_bytes",
            "Off-heap memory of blocks on their way in or out of the tenant that has most: at most four times what is free.");

    public static final Metric POOL_USED = gauge(
            "kvstore_memory_pool_used_bytes",
            "Off-heap memory of blocks, those of the memory tier and those on their way in or out.");

    public static final Metric POOL_LIMIT = gauge(
            "kvstore_memory_pool_limit_bytes",
            "Most off-heap memory of blocks: that of the memory tier and the setting transfer-memory.");

    public static final Metric POOL_COMMITTED = gauge(
            "kvstore_memory_pool_committed_bytes",
            "Off-heap memory for blocks that the system has given to the process. It exceeds the used bytes by free room"
                    + " that the process keeps, and kvstore_memory_pool_limit_bytes by 132 MiB at most.");

    public static final Metric POOL_REFUSALS = counter(
            "kvstore_memory_pool_refusals_total",
            "Allocations that found no memory for as long as they may wait, or that the system had no memory for.");

    public static final Metric DISK_HITS =
            counter("kvstore_disk_tier_hits_total", "Blocks found in the disk tier, or on their way there.");

    public static final Metric DISK_MISSES =
            counter("kvstore_disk_tier_misses_total", "Blocks found neither in the memory tier nor in the disk tier.");

    public static final Metric DISK_EVICTIONS =
            counter("kvstore_disk_tier_evictions_total", "Blocks that left the disk tier to make room for others.");

    public static final Metric DISK_DEMOTIONS = counter(
            "kvstore_disk_tier_demotions_total", "Blocks that left the memory tier and were written to the disk tier.");

    public static final Metric DISK_DROPPED_DEMOTIONS = counter(
            "kvstore_disk_tier_dropped_demotions_total",
            "Blocks that left the memory tier and were not written to the disk tier, as the disk was too slow, failed, or"
                    + " was still loading.");

    public static final Metric DISK_ERRORS = counter(
            "kvstore_disk_tier_errors_total",
            "Reads and writes of the disk that failed, and folders and files of the disk tier that could not be opened.");

    public static final Metric DISK_DAMAGED_BLOCKS = counter(
            "kvstore_disk_tier_damaged_blocks_total",
            "Blocks in the disk tier that failed a checksum. They come from storage then.");

    public static final Metric DISK_BLOCKS = gauge("kvstore_disk_tier_blocks", "Blocks in the disk tier.");

    public static final Metric DISK_USED = gauge(
            "kvstore_disk_tier_used_bytes",
            "Disk that the files of the disk tier take up, or will when they are full.");

    public static final Metric DISK_LIMIT =
            gauge("kvstore_disk_tier_limit_bytes", "Most disk that the files of the disk tier may take up.");

    public static final Metric DISK_STATE = gauge(
            "kvstore_disk_tier_state",
            "1 for the state of the disk tier, which is that of its best disk, 0 for the others. state is none, loading,"
                    + " working, paused (after failures) or unusable.",
            "state");

    public static final Metric DISK_DISKS = gauge(
            "kvstore_disk_tier_disks",
            "Disks of the disk tier in a state: loading, working, paused (after failures, or while it hangs) or unusable.",
            "state");

    static final List<Metric> ALL = List.of(
            MEMORY_HITS,
            MEMORY_MISSES,
            MEMORY_EVICTIONS,
            MEMORY_USED,
            MEMORY_LIMIT,
            MEMORY_TENANTS,
            MEMORY_LARGEST_TENANT,
            TRANSFER_LARGEST_TENANT,
            POOL_USED,
            POOL_LIMIT,
            POOL_COMMITTED,
            POOL_REFUSALS,
            DISK_HITS,
            DISK_MISSES,
            DISK_EVICTIONS,
            DISK_DEMOTIONS,
            DISK_DROPPED_DEMOTIONS,
            DISK_ERRORS,
            DISK_DAMAGED_BLOCKS,
            DISK_BLOCKS,
            DISK_USED,
            DISK_LIMIT,
            DISK_STATE,
            DISK_DISKS);

    private TierMetrics() {}
}
