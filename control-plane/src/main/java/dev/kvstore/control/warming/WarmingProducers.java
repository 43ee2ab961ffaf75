package dev.kvstore.control.warming;

import dev.kvstore.accounts.resolve.DatabaseReplicas;
import dev.kvstore.control.resolve.StorageEncoder;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Finds storages for the tasks of warmings. */
final class WarmingProducers {
    @Produces
    @Singleton
    Claims.StorageFinder storages(DatabaseReplicas replicas) {
        return (account, region) -> replicas.of(account, region)
                .filter(DatabaseReplicas.RegionReplica::serves)
                .map(DatabaseReplicas.RegionReplica::storage)
                .map(StorageEncoder::wire);
    }
}
