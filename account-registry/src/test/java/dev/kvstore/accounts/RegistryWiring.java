package dev.kvstore.accounts;

import dev.kvstore.accounts.account.AccountReferences;
import dev.kvstore.admin.caller.ServerVersion;
import dev.kvstore.testing.MovableClock;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.Map;

/** The parts that a control plane gives the registry. */
final class RegistryWiring {
    /** The regions that are registered, with their clusters: each has one that others do not have. */
    private static final Map<String, String> REGIONS = Map.of("eu-1", "eu-1-a", "us-1", "us-1-a", "ap-1", "ap-1-a");

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
    AccountReferences places() {
        return new AccountReferences() {
            @Override
            public boolean hasRegion(String region) {
                return REGIONS.containsKey(region) || region.startsWith("many-");
            }

            @Override
            public boolean hasCluster(String region, String cluster) {
                return cluster.equals(REGIONS.get(region)) || cluster.equals(region + "-b");
            }
        };
    }
}
