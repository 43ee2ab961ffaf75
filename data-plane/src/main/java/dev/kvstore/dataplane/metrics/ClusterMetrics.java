package dev.kvstore.dataplane.metrics;

import static dev.kvstore.metrics.Metric.counter;
import static dev.kvstore.metrics.Metric.gauge;

import dev.kvstore.metrics.Metric;
import java.util.List;

/** Metrics of the control plane as a data plane sees it, of other members, of warming and of purges. */
public final class ClusterMetrics {
    public static final Metric ACCOUNT_RESOLUTIONS = counter(
            "kvstore_account_resolutions_total",
            "Questions to the control plane for an account. outcome is granted, not_granted, unknown_key or failed (no"
                    + " usable answer). Only with a control plane.",
            "outcome");

    public static final Metric ACCOUNT_CACHED_RESOLUTIONS = gauge(
            "kvstore_account_cached_resolutions",
            "Answers of the control plane that are kept and grant something. Only with a control plane.");

    public static final Metric ACCOUNT_CHANGES = counter(
            "kvstore_account_changes_total",
            "Keys and resources whose change the control plane announced. Only with a control plane.");

    public static final Metric ACCOUNT_WATCH_CONNECTED = gauge(
            "kvstore_account_watch_connected",
            "1 while the control plane announces changes, else 0. Only with a control plane.");

    public static final Metric ACCOUNT_CONFIRMED_AGE = gauge(
            "kvstore_account_confirmed_age_seconds",
            "Time since the control plane confirmed all answers that are kept; from 86,400 s on they serve no more. Not a"
                    + " number if it never did. Only with a control plane.");

    public static final Metric JOINED = gauge(
            "kvstore_cluster_joined", "1 while the process holds a lease in its cluster, else 0. Only with a cluster.");

    public static final Metric PEERS = gauge(
            "kvstore_cluster_peers", "Other members of the cluster that blocks are announced to. Only with a cluster.");

    public static final Metric HEARTBEATS = counter(
            "kvstore_cluster_heartbeats_total",
            "Registrations and heartbeats. outcome is answered or failed (refused, or without an answer). Only with a"
                    + " cluster.",
            "outcome");

    public static final Metric SENT_ANNOUNCEMENTS = counter(
            "kvstore_cluster_sent_announcements_total",
            "Blocks to announce, once for each peer. outcome is delivered or dropped (the peer did not take them, or there"
                    + " were too many; it sees them up to 30 s later, in storage). Only with a cluster.",
            "outcome");

    public static final Metric RECEIVED_ANNOUNCEMENTS = counter(
            "kvstore_cluster_received_announcements_total",
            "Blocks that peers announced. outcome is accepted or ignored (there was no room). Only with a cluster.",
            "outcome");

    public static final Metric HEAT_TRACKED_BLOCKS = gauge(
            "kvstore_heat_tracked_blocks",
            "Blocks whose use is counted: 65,536 at most, and twice as many between two heartbeats. Only with a cluster.");

    public static final Metric HEAT_REPORTED_BLOCKS = counter(
            "kvstore_heat_reported_blocks_total",
            "Blocks in reports of use to the control plane, counted once for each report. Only with a cluster.");

    public static final Metric WARMING_TASKS = gauge(
            "kvstore_warming_tasks", "Parts of warmings that the process works on, 4 at most. Only with a cluster.");

    public static final Metric WARMING_BLOCKS = counter(
            "kvstore_warming_blocks_total",
            "Blocks to copy from other regions. outcome is copied, present (it was there) or failed. Only with a cluster.",
            "outcome");

    public static final Metric WARMING_COPIED_BYTES = counter(
            "kvstore_warming_copied_bytes_total",
            "Bytes of blocks that were copied from other regions. Only with a cluster.");

    public static final Metric WARMING_USED_BLOCKS = counter(
            "kvstore_warming_used_blocks_total",
            "Blocks that were copied here and used by a client afterwards. Beside those copied, whether warming was worth"
                    + " it. Only with a cluster.");

    public static final Metric PURGE_RULES = gauge(
            "kvstore_purge_rules",
            "Purges that the process knows of, those of the last 90 days that are over among them. Only with a cluster.");

    public static final Metric PURGES_KNOWN = gauge(
            "kvstore_purges_known",
            "1 once the process knows all purges, else 0: then it believes nothing on its disk. Only with a cluster.");

    public static final Metric PURGE_FORGOTTEN_BLOCKS = counter(
            "kvstore_purge_forgotten_blocks_total",
            "Blocks in memory that the process forgot because they were purged. Only with a cluster.");

    public static final Metric PURGE_DELETED_BLOCKS = counter(
            "kvstore_purge_deleted_blocks_total",
            "Blocks of purges that the process was to delete from storage. outcome is deleted or failed (storage does not"
                    + " let go of the block, or its format is newer). Only with a cluster.",
            "outcome");

    static final List<Metric> ALL = List.of(
            ACCOUNT_RESOLUTIONS,
            ACCOUNT_CACHED_RESOLUTIONS,
            ACCOUNT_CHANGES,
            ACCOUNT_WATCH_CONNECTED,
            ACCOUNT_CONFIRMED_AGE,
            JOINED,
            PEERS,
            HEARTBEATS,
            SENT_ANNOUNCEMENTS,
            RECEIVED_ANNOUNCEMENTS,
            HEAT_TRACKED_BLOCKS,
            HEAT_REPORTED_BLOCKS,
            WARMING_TASKS,
            WARMING_BLOCKS,
            WARMING_COPIED_BYTES,
            WARMING_USED_BLOCKS,
            PURGE_RULES,
            PURGES_KNOWN,
            PURGE_FORGOTTEN_BLOCKS,
            PURGE_DELETED_BLOCKS);

    private ClusterMetrics() {}
}
