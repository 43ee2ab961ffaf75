package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.cluster.Outbox;
import dev.kvstore.dataplane.cluster.PeerCalls;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.heat.HeatReports;
import dev.kvstore.dataplane.service.Drain;
import dev.kvstore.dataplane.warming.Warmed;
import dev.kvstore.dataplane.warming.Warmer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What is told at {@code /q/metrics} of the cluster, if one is joined. */
@Singleton
public final class ClusterMeters {
    void register(
            @Observes StartupEvent started,
            MeterRegistry meters,
            Optional<Membership> membership,
            Announcer announcer,
            Outbox.Counters told,
            PeerCalls peers,
            Heat heat,
            Optional<HeatReports> reports,
            Optional<Warmer> warmer,
            Warmed warmed,
            Drain drain) {
        Gauge.builder("kvstore.draining", drain, of -> of.isWanted() ? 1 : 0)
                .description("1 while calls are to go elsewhere")
                .register(meters);
        if (membership.isEmpty()) {
            return;
        }
        Membership member = membership.get();
        Gauge.builder("kvstore.cluster.joined", member, of -> of.isJoined() ? 1 : 0)
                .description("1 while there is a lease")
                .register(meters);
        Gauge.builder("kvstore.cluster.peers", announcer, Announcer::peers)
                .description("Other members that are told of blocks")
                .register(meters);
        heartbeats(meters, member, "answered", Membership::renewed);
        heartbeats(meters, member, "failed", Membership::failed);
        announcements(meters, told, "sent", of -> of.sent().sum());
        announcements(meters, told, "dropped", of -> of.dropped().sum() + announcer.dropped());
        announcements(meters, peers, "received", PeerCalls::received);
        announcements(meters, peers, "ignored", PeerCalls::dropped);
        Gauge.builder("kvstore.heat.blocks", heat, Heat::blocks)
                .description("Blocks of which it is known how much they are used")
                .register(meters);
        reports.ifPresent(of -> FunctionCounter.builder("kvstore.heat.told", of, HeatReports::told)
                .description("Blocks of whose use the control plane was told")
                .register(meters));
        warmer.ifPresent(of -> warming(meters, of, warmed));
    }

    private static void warming(MeterRegistry meters, Warmer warmer, Warmed warmed) {
        Gauge.builder("kvstore.warming.tasks", warmer, Warmer::tasks)
                .description("Parts of warmings that this process is about")
                .register(meters);
        warmed(meters, warmer, "copied", Warmer::copied);
        warmed(meters, warmer, "present", Warmer::present);
        warmed(meters, warmer, "failed", Warmer::failed);
        FunctionCounter.builder("kvstore.warming.bytes", warmer, Warmer::copiedBytes)
                .description("Bytes of blocks that were copied from other regions")
                .baseUnit("bytes")
                .register(meters);
        FunctionCounter.builder("kvstore.warming.used", warmed, Warmed::used)
                .description("Blocks that were copied here and used by a client afterwards")
                .register(meters);
    }

    private static void warmed(MeterRegistry meters, Warmer warmer, String outcome, ToDoubleFunction<Warmer> count) {
        FunctionCounter.builder("kvstore.warming.blocks", warmer, count)
                .tag("outcome", outcome)
                .description("Blocks that were to be copied from other regions")
                .register(meters);
    }

    private static void heartbeats(
            MeterRegistry meters, Membership member, String outcome, ToDoubleFunction<Membership> count) {
        FunctionCounter.builder("kvstore.cluster.heartbeats", member, count)
                .tag("outcome", outcome)
                .description("Registrations and heartbeats")
                .register(meters);
    }

    private static <T> void announcements(MeterRegistry meters, T of, String outcome, ToDoubleFunction<T> count) {
        FunctionCounter.builder("kvstore.cluster.announcements", of, count)
                .tag("outcome", outcome)
                .description("Blocks that members told each other of")
                .register(meters);
    }
}
