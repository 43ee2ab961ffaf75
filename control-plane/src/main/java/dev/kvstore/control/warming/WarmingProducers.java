package dev.kvstore.control.warming;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.accounts.resolve.DatabaseReplicas;
import dev.kvstore.control.heat.Heats;
import dev.kvstore.control.resolve.StorageEncoder;
import dev.kvstore.protocol.control.v1.Storage;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import javax.sql.DataSource;

/** Makes the objects of this package that use the database of warmings. */
final class WarmingProducers {
    @Produces
    @Singleton
    Jobs jobs(DataSource database) {
        return new Jobs(database);
    }

    @Produces
    @Singleton
    Chunks chunks(DataSource database) {
        return new Chunks(database);
    }

    @Produces
    @Singleton
    WarmingFailures failures(DataSource database) {
        return new WarmingFailures(database);
    }

    @Produces
    @Singleton
    Listings listings(DataSource database) {
        return new Listings(database);
    }

    @Produces
    @Singleton
    Planner planner(DataSource database, Heats heats, ObjectMapper json) {
        return new Planner(database, heats, json);
    }

    @Produces
    @Singleton
    Claims claims(DataSource database, Chunks chunks, Listings listings, DatabaseReplicas replicas, ObjectMapper json) {
        return new Claims(database, chunks, listings, (account, region) -> storage(replicas, account, region), json);
    }

    private static Optional<Storage> storage(DatabaseReplicas replicas, String account, String region) {
        return replicas.of(account, region)
                .filter(DatabaseReplicas.RegionReplica::serves)
                .map(DatabaseReplicas.RegionReplica::storage)
                .map(StorageEncoder::wire);
    }
}
