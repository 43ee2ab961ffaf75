package dev.kvstore.control.server;

import dev.kvstore.accounts.account.AccountDependent;
import dev.kvstore.accounts.account.AccountReferences;
import dev.kvstore.accounts.account.AccountRepository;
import dev.kvstore.accounts.placement.PlacementRepository;
import dev.kvstore.admin.caller.ServerVersion;
import dev.kvstore.clusters.cluster.ClusterRepository;
import dev.kvstore.clusters.member.DatabaseClock;
import dev.kvstore.clusters.region.RegionRepository;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.control.purge.Purges;
import dev.kvstore.control.warming.admin.Warmings;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.NewConnections;
import dev.kvstore.settings.Version;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;

/** Connects the parts that do not know each other. */
final class ControlPlaneWiring {
    @Produces
    @Singleton
    @Typed(Clock.class)
    Clock clock(DatabaseClock database) {
        // All replicas judge ends of keys and grants by the database's clock, whatever their machines' clocks say.
        return database;
    }

    @Produces
    @Singleton
    MeterFilter callTimes() {
        return new CallTimes();
    }

    @Produces
    @Singleton
    SecureRandom secureRandom() {
        return new SecureRandom();
    }

    @Produces
    @Singleton
    ListenerConnections connections(ControlPlaneSettings settings, MeterRegistry meters) {
        // A client or data plane that loses its connection makes another one, perhaps with another control plane.
        ListenerConnections connections = new ListenerConnections(
                settings.maxConnections(),
                new NewConnections(settings.maxNewConnections(), System::nanoTime),
                ListenerConnections.Surplus.ANY);
        ControlPlaneMetrics.CONNECTIONS.gauge(meters, connections, ListenerConnections::open);
        for (ListenerConnections.CloseReason reason : ListenerConnections.CloseReason.values()) {
            ControlPlaneMetrics.CONNECTIONS_CLOSED.counter(meters, connections, of -> of.closed(reason), reason.tag());
        }
        return connections;
    }

    @Produces
    @Singleton
    ServerVersion version() {
        return new ServerVersion(Version.text());
    }

    @Produces
    @Singleton
    AccountReferences neighbours(RegionRepository regions, ClusterRepository clusters) {
        return new AccountReferences() {
            @Override
            public boolean hasRegion(String region) {
                return regions.has(region);
            }

            @Override
            public boolean hasCluster(String region, String cluster) {
                return clusters.has(region, cluster);
            }
        };
    }

    @Produces
    @Singleton
    AccountDependent jobs(Warmings warmings, Purges purges) {
        return (caller, account) -> {
            warmings.cancelAll(caller, account.resourceName());
            purges.cancelAll(caller, account.resourceName());
        };
    }

    @Produces
    @Singleton
    dev.kvstore.clusters.region.RegionReferences neighbours(
            AccountRepository accounts, PlacementRepository placements) {
        return new dev.kvstore.clusters.region.RegionReferences() {
            @Override
            public long accountsIn(String region) {
                return accounts.countIn(region);
            }

            @Override
            public long accountsOn(String cluster) {
                return placements.countOn(cluster);
            }
        };
    }
}
