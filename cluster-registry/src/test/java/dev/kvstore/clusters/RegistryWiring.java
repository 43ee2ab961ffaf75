package dev.kvstore.clusters;

import dev.kvstore.admin.caller.ServerVersion;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.clusters.region.RegionReferences;
import dev.kvstore.testing.MovableClock;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import javax.sql.DataSource;

/** The parts that a control plane gives the registry. */
final class RegistryWiring {
    @Produces
    @Singleton
    MovableClock movable() {
        return new MovableClock();
    }

    @Produces
    @Singleton
    SecureRandom random() {
        return new SecureRandom();
    }

    @Produces
    @Singleton
    ServerVersion version() {
        return new ServerVersion("1");
    }

    @Produces
    @Singleton
    Members members(DataSource database, MovableClock clock) {
        return new Members(database, clock);
    }

    /** Accounts have storage in each region named {@code stored-*}, and are placed on each cluster named {@code placed-*}. */
    @Produces
    @Singleton
    RegionReferences accounts() {
        return new RegionReferences() {
            @Override
            public long accountsIn(String region) {
                return region.startsWith("stored-") ? 2 : 0;
            }

            @Override
            public long accountsOn(String cluster) {
                return cluster.startsWith("placed-") ? 3 : 0;
            }
        };
    }
}
