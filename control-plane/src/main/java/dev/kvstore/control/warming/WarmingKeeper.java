package dev.kvstore.control.warming;

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

/** Plans warmings, says whether there are any, counts them and forgets old ones, for as long as the process runs. */
@Singleton
public class WarmingKeeper {
    /** The time within which a wanted warming begins, beside the time to a data plane's next question. */
    private static final Duration PLANNING = Duration.ofSeconds(1);

    private static final Duration COUNTING = Duration.ofSeconds(10);
    private static final Duration FORGETTING = Duration.ofMinutes(10);

    private final Jobs jobs;
    private final Planner planner;
    private final JobMeters meters;
    private final List<Repeating> loops = new ArrayList<>();
    private volatile boolean idle;

    WarmingKeeper(Jobs jobs, Planner planner, DataSource database, MeterRegistry registry) {
        this.jobs = jobs;
        this.planner = planner;
        this.meters = new JobMeters(
                database,
                registry,
                ControlPlaneMetrics.WARMINGS,
                ControlPlaneMetrics.WARMING_LAG,
                """
                select state, count(*) as count, coalesce(max(extract(epoch from now() - coalesce(caught_up_at, created_at)))
                    filter (where every_seconds is not null and state <> 'PAUSED'), 0) as seconds
                from warming where ended_at is null group by state""",
                Stream.of(WarmingState.values())
                        .filter(state -> !state.isOver())
                        .toList());
    }

    void start(@Observes StartupEvent started) {
        loops.add(Repeating.start("warming", PLANNING, "warmings are planned later", this::plan));
        loops.add(Repeating.start("warming-count", COUNTING, "warmings are counted later", meters::count));
        loops.add(Repeating.start("warming-forget", FORGETTING, "old warmings are forgotten later", jobs::forget));
    }

    void stop(@Observes ShutdownEvent stopping) {
        loops.forEach(Repeating::close);
    }

    /** Whether there was nothing to do a second ago. */
    boolean isIdle() {
        return idle;
    }

    private void plan() throws SQLException {
        // While the database does not answer, callers get an answer from the database or none.
        boolean nothing = false;
        try {
            nothing = jobs.isIdle();
            if (!nothing) {
                planner.plan();
            }
        } finally {
            idle = nothing;
        }
    }
}
