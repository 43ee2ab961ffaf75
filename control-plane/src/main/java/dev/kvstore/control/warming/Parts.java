package dev.kvstore.control.warming;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.accounts.resolve.DatabaseReplicas;
import dev.kvstore.control.heat.Heats;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import javax.sql.DataSource;

/** What the rest of this is made of. */
final class Parts {
    @Produces
    @Singleton
    Jobs jobs(DataSource database) {
        return new Jobs(database);
    }

    @Produces
    @Singleton
    Chunks chunks(DataSource database, Clock clock) {
        return new Chunks(database, clock);
    }

    @Produces
    @Singleton
    Listings listings(DataSource database, Clock clock) {
        return new Listings(database, clock);
    }

    @Produces
    @Singleton
    Planner planner(DataSource database, Heats heats, ObjectMapper json, Clock clock) {
        return new Planner(database, heats, json, clock);
    }

    @Produces
    @Singleton
    Claims claims(
            DataSource database,
            Chunks chunks,
            Listings listings,
            DatabaseReplicas replicas,
            ObjectMapper json,
            Clock clock) {
        return new Claims(database, chunks, listings, replicas, json, clock);
    }
}
