package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.cluster.AnnouncementQueue;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.cluster.PeerCalls;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.heat.HeatReporter;
import dev.kvstore.dataplane.metrics.ClusterMetrics;
import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.dataplane.purge.Purger;
import dev.kvstore.dataplane.warming.CopyCounters;
import dev.kvstore.dataplane.warming.Warmed;
import dev.kvstore.dataplane.warming.Warmer;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The metrics at {@code /q/metrics} of the cluster, if the process joins one. */
@Singleton
public final class ClusterMeters {
    void register(
            @Observes StartupEvent started,
            MeterRegistry meters,
            Optional<Membership> membership,
            Announcer announcer,
            AnnouncementQueue.AnnouncementCounters counters,
            PeerCalls peers,
            Heat heat,
            Optional<HeatReporter> reports,
            Optional<Warmer> warmer,
            Warmed warmed,
            Optional<Purger> purger,
            PurgeRules rules,
            Drain drain) {
        ServerMetrics.DRAINING.gauge(meters, drain, of -> of.isWanted() ? 1 : 0);
        if (membership.isEmpty()) {
            return;
        }
        Membership member = membership.get();
        ClusterMetrics.JOINED.gauge(meters, member, of -> of.isJoined() ? 1 : 0);
        ClusterMetrics.PEERS.gauge(meters, announcer, Announcer::peers);
        ClusterMetrics.HEARTBEATS.counter(meters, member, Membership::renewed, "answered");
        ClusterMetrics.HEARTBEATS.counter(meters, member, Membership::failed, "failed");
        announcements(meters, announcer, counters, peers);
        ClusterMetrics.HEAT_TRACKED_BLOCKS.gauge(meters, heat, Heat::blocks);
        reports.ifPresent(of -> ClusterMetrics.HEAT_REPORTED_BLOCKS.counter(meters, of, HeatReporter::told));
        warmer.ifPresent(of -> warming(meters, of, warmed));
        purger.ifPresent(of -> purges(meters, of, rules));
    }

    private static void purges(MeterRegistry meters, Purger purger, PurgeRules rules) {
        ClusterMetrics.PURGE_RULES.gauge(meters, rules, PurgeRules::size);
        ClusterMetrics.PURGES_KNOWN.gauge(meters, rules, of -> of.isKnown() ? 1 : 0);
        ClusterMetrics.PURGE_FORGOTTEN_BLOCKS.counter(meters, purger, Purger::forgotten);
        ClusterMetrics.PURGE_DELETED_BLOCKS.counter(meters, purger, Purger::deleted, "deleted");
        ClusterMetrics.PURGE_DELETED_BLOCKS.counter(meters, purger, Purger::failed, "failed");
    }

    private static void announcements(
            MeterRegistry meters,
            Announcer announcer,
            AnnouncementQueue.AnnouncementCounters counters,
            PeerCalls peers) {
        ClusterMetrics.SENT_ANNOUNCEMENTS.counter(
                meters, counters, of -> of.sent().sum(), "delivered");
        ClusterMetrics.SENT_ANNOUNCEMENTS.counter(
                meters, counters, of -> of.dropped().sum() + announcer.dropped(), "dropped");
        ClusterMetrics.RECEIVED_ANNOUNCEMENTS.counter(meters, peers, PeerCalls::accepted, "accepted");
        ClusterMetrics.RECEIVED_ANNOUNCEMENTS.counter(meters, peers, PeerCalls::dropped, "ignored");
    }

    private static void warming(MeterRegistry meters, Warmer warmer, Warmed warmed) {
        CopyCounters counters = warmer.counters();
        ClusterMetrics.WARMING_TASKS.gauge(meters, warmer, Warmer::tasks);
        ClusterMetrics.WARMING_BLOCKS.counter(
                meters, counters, of -> of.copied().sum(), "copied");
        ClusterMetrics.WARMING_BLOCKS.counter(
                meters, counters, of -> of.present().sum(), "present");
        ClusterMetrics.WARMING_BLOCKS.counter(
                meters, counters, of -> of.failed().sum(), "failed");
        ClusterMetrics.WARMING_COPIED_BYTES.counter(
                meters, counters, of -> of.copiedBytes().sum());
        ClusterMetrics.WARMING_USED_BLOCKS.counter(meters, warmed, Warmed::used);
    }
}
