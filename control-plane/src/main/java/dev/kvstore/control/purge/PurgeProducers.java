package dev.kvstore.control.purge;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** Makes the objects of this package that use the database of purges. */
final class PurgeProducers {
    @Produces
    @Singleton
    PurgeJobs purgeJobs(DataSource database) {
        return new PurgeJobs(database);
    }

    @Produces
    @Singleton
    PurgeSteps purgeSteps(DataSource database) {
        return new PurgeSteps(database);
    }

    @Produces
    @Singleton
    PurgeConfirmations purgeConfirmations(DataSource database) {
        return new PurgeConfirmations(database);
    }

    @Produces
    @Singleton
    Deletions deletions(DataSource database) {
        return new Deletions(database);
    }
}
