package dev.kvstore.control.purge;

import dev.kvstore.clusters.member.Members;
import dev.kvstore.control.job.JobMeters;
import dev.kvstore.control.loop.Repeating;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Advances purges, knows whether there are any, and forgets old ones, for as long as the process runs. */
@Singleton
public class PurgeKeeper {
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Duration COUNTING = Duration.ofSeconds(5);
    private static final Duration FORGETTING = Duration.ofMinutes(10);

    private final PurgeSteps steps;
    private final PurgeJobs jobs;
    private final Members members;
    private final JobMeters meters;
    private final List<Repeating> loops = new ArrayList<>();

    /** The open purges; until they are known, the database is asked. */
    private volatile PurgeSteps.OpenPurges purges = new PurgeSteps.OpenPurges(Long.MAX_VALUE, true);

    PurgeKeeper(PurgeSteps steps, PurgeJobs jobs, Members members, DataSource database, MeterRegistry registry) {
        this.meters = new JobMeters(
                database,
                registry,
                ControlPlaneMetrics.PURGES,
                ControlPlaneMetrics.PURGE_AGE,
                """
                select state, count(*) as count, max(extract(epoch from now() - created_at)) as seconds
                from purge where ended_at is null group by state""",
                Stream.of(PurgeState.values()).filter(state -> !state.isOver()).toList());
        this.steps = steps;
        this.jobs = jobs;
        this.members = members;
    }

    void start(@Observes StartupEvent started) {
        loops.add(Repeating.start("purge", STEP, "purges go on later", this::step));
        loops.add(Repeating.start("purge-count", COUNTING, "purges are counted later", meters::count));
        loops.add(Repeating.start("purge-forget", FORGETTING, "old purges are forgotten later", jobs::forget));
    }

    void stop(@Observes ShutdownEvent stopping) {
        loops.forEach(Repeating::close);
    }

    /** The open purges of about a second ago. */
    PurgeSteps.OpenPurges standing() {
        return purges;
    }

    private void step() throws SQLException {
        PurgeSteps.OpenPurges now = steps.standing();
        if (now.open()) {
            steps.advance(members.now());
            now = steps.standing();
        }
        purges = now;
    }
}
