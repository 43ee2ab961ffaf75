package dev.kvstore.control.membership;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeSource;
import dev.kvstore.admin.database.Vital;
import dev.kvstore.admin.problem.FailureCauses;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.member.DatabaseClock;
import dev.kvstore.clusters.member.FleetReader;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.HeartbeatQueue;
import dev.kvstore.clusters.member.LeaseEvictions;
import dev.kvstore.clusters.member.OutageDetector;
import dev.kvstore.control.database.DatabaseChanges;
import dev.kvstore.control.loop.Repeating;
import io.quarkus.agroal.DataSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a round once in {@link Rules#SNAPSHOT}, and as soon as an admin has changed the fleet. A round reads the
 * database's clock, records that leases can be renewed, prolongs all leases by the time in which none could be, reads
 * the fleet, and last deletes data planes whose leases ended long ago. Thread-safe.
 */
@Singleton
public final class FleetRefresh {
    private static final Logger LOG = System.getLogger(FleetRefresh.class.getName());

    /** Kinds of resources whose changes change the fleet. */
    private static final Set<String> KINDS = Set.of("region", "round-trip", "cluster", "process");

    /** The wait after a change, so that many changes in a row are read together. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private final javax.sql.DataSource database;
    private final DatabaseClock clock;
    private final OutageDetector detector;
    private final FleetReader reader;
    private final Fleets fleets;
    private final LeaseEvictions evictions;
    private final HeartbeatQueue heartbeats;
    private final MembershipMeters meters;
    private final ChangeSource source;
    private final DatabaseChanges changes;
    private volatile boolean gathering;
    private @Nullable Thread beating;
    private volatile @Nullable Repeating rounds;

    FleetRefresh(
            @DataSource(Vital.POOL) javax.sql.DataSource database,
            DatabaseClock clock,
            OutageDetector detector,
            FleetReader reader,
            Fleets fleets,
            LeaseEvictions evictions,
            HeartbeatQueue heartbeats,
            MembershipMeters meters,
            ChangeSource source,
            DatabaseChanges changes) {
        this.database = database;
        this.clock = clock;
        this.detector = detector;
        this.reader = reader;
        this.fleets = fleets;
        this.evictions = evictions;
        this.heartbeats = heartbeats;
        this.meters = meters;
        this.source = source;
        this.changes = changes;
    }

    void start(@Observes StartupEvent started) {
        source.onChange(this::hear);
        beating = Thread.ofVirtual().name("heartbeats").start(heartbeats);
        rounds = Repeating.start("fleet", Rules.SNAPSHOT, "the fleet stays as it was read last", this::round);
    }

    void stop(@Observes ShutdownEvent stopping) {
        Thread thread = beating;
        if (thread != null) {
            thread.interrupt();
        }
        Repeating current = rounds;
        if (current != null) {
            current.close();
        }
    }

    private void hear(List<Change> news, long last, boolean reset) {
        Repeating current = rounds;
        if (current != null && (reset || news.stream().anyMatch(change -> KINDS.contains(change.kind())))) {
            gathering = true;
            current.wake();
        }
    }

    private void round() throws SQLException, InterruptedException {
        if (gathering) {
            TimeUnit.NANOSECONDS.sleep(GATHER.toNanos());
            gathering = false;
        }
        clock.read(database);
        OutageDetector.BeatOutcome beat = beat();
        beat.made().ifPresent(made -> {
            meters.extendedLeases();
            LOG.log(
                    made.leases() > 0 ? Level.WARNING : Level.INFO,
                    "for {0} s no lease could be renewed: {1} leases are prolonged by that time",
                    made.pause().toSeconds(),
                    made.leases());
        });
        FleetReader.FleetSnapshot snapshot = reader.read(beat.at());
        fleets.set(snapshot);
        forget(snapshot.fleet());
    }

    /** Runs the one statement of each round that changes something, which notices a database that takes no changes. */
    private OutageDetector.BeatOutcome beat() throws SQLException {
        try {
            OutageDetector.BeatOutcome beat = detector.beat();
            changes.taken();
            return beat;
        } catch (SQLException e) {
            if (FailureCauses.isReadOnly(e)) {
                changes.refused();
            }
            throw e;
        }
    }

    private void forget(Fleet fleet) throws SQLException {
        List<String> forgotten = evictions.pass(fleet);
        if (!forgotten.isEmpty()) {
            meters.evicted(forgotten.size());
            LOG.log(Level.WARNING, "forgotten data planes (lease ended long ago): {0}", String.join(", ", forgotten));
        }
    }
}
