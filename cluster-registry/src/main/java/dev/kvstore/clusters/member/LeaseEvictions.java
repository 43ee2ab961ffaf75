package dev.kvstore.clusters.member;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Leases;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Deletes data planes whose leases ended long ago; one control plane at a time, once in {@link Rules#EVICTION_PASS}.
 * Thread-safe.
 */
public final class LeaseEvictions {
    private final DataSource database;
    private final RandomGenerator random;

    public LeaseEvictions(DataSource database, RandomGenerator random) {
        this.database = database;
        this.random = random;
    }

    /**
     * Makes a pass, if it is due and no other control plane has made it.
     *
     * @param fleet the fleet that was just read; a data plane with a later heartbeat stays
     * @return {@code cluster/process} of the deleted data planes
     * @throws SQLException if the database does not answer; then no data plane was deleted
     */
    public List<String> pass(Fleet fleet) throws SQLException {
        if (!isMine(fleet.at())) {
            return List.of();
        }
        List<Eviction.EvictedProcess> chosen = Eviction.choose(fleet, random);
        return chosen.isEmpty()
                ? List.of()
                : Leases.evict(
                        database,
                        chosen.stream().map(Eviction.EvictedProcess::cluster).toList(),
                        chosen.stream().map(Eviction.EvictedProcess::process).toList(),
                        Eviction.cutoff(fleet.at()));
    }

    private boolean isMine(Instant now) throws SQLException {
        return Sql.on(database, "update pulse set evicted_at = :now where evicted_at <= :due")
                        .with("now", now)
                        .with("due", now.minus(Rules.EVICTION_PASS))
                        .run()
                == 1;
    }
}
