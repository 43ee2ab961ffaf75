package dev.kvstore.control.membership;

import dev.kvstore.admin.database.Vital;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.clusters.member.DatabaseClock;
import dev.kvstore.clusters.member.FleetReader;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.HeartbeatQueue;
import dev.kvstore.clusters.member.Heartbeats;
import dev.kvstore.clusters.member.LeaseEvictions;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.clusters.member.OutageDetector;
import io.quarkus.agroal.DataSource;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;

/** Makes the objects of membership, all of which use the database's clock. */
final class MembershipProducers {
    /** The database's clock. Code gets it only if it asks for this very type. */
    @Produces
    @Singleton
    @Typed(DatabaseClock.class)
    DatabaseClock clock() {
        return new DatabaseClock(Clock.systemUTC(), System::nanoTime);
    }

    @Produces
    @Singleton
    Leases leases(@DataSource(Vital.POOL) javax.sql.DataSource database, DatabaseClock clock) {
        return new Leases(database, clock);
    }

    @Produces
    @Singleton
    HeartbeatQueue heartbeats(@DataSource(Vital.POOL) javax.sql.DataSource database, DatabaseClock clock) {
        return new HeartbeatQueue(new Heartbeats(database, clock)::keep);
    }

    @Produces
    @Singleton
    Members members(javax.sql.DataSource database, DatabaseClock clock) {
        return new Members(database, clock);
    }

    @Produces
    @Singleton
    OutageDetector pulse(@DataSource(Vital.POOL) javax.sql.DataSource database, DatabaseClock clock) {
        return new OutageDetector(database, clock);
    }

    @Produces
    @Singleton
    FleetReader reader(
            @DataSource(Vital.POOL) javax.sql.DataSource database, FleetReader.WithheldLeases withheldLeases) {
        return new FleetReader(database, withheldLeases);
    }

    @Produces
    @Singleton
    Fleets fleets() {
        return new Fleets();
    }

    @Produces
    @Singleton
    LeaseEvictions evictions(@DataSource(Vital.POOL) javax.sql.DataSource database, SecureRandom random) {
        return new LeaseEvictions(database, random);
    }
}
