package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.heat.HeatReporter;
import dev.kvstore.dataplane.purge.Purger;
import dev.kvstore.dataplane.rate.Recurring;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.warming.Warmer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Joins the cluster and leaves it, and lets calls end before the process does. */
@Singleton
public final class ClusterLife {
    private static final Logger LOG = System.getLogger(ClusterLife.class.getName());

    private final Optional<Membership> membership;
    private final Announcer announcer;
    private final Optional<HeatReporter> heat;
    private final Optional<Warmer> warmer;
    private final Optional<Purger> purger;
    private final Drain drain;
    private final CallMeter calls;
    private final DataPlaneSettings settings;
    private final Recurring recurring;

    ClusterLife(
            Optional<Membership> membership,
            Announcer announcer,
            Optional<HeatReporter> heat,
            Optional<Warmer> warmer,
            Optional<Purger> purger,
            Drain drain,
            CallMeter calls,
            DataPlaneSettings settings) {
        this.membership = membership;
        this.announcer = announcer;
        this.recurring = new Recurring("announcements", "peers are told of blocks", announcer::beat);
        this.heat = heat;
        this.warmer = warmer;
        this.purger = purger;
        this.drain = drain;
        this.calls = calls;
        this.settings = settings;
    }

    void start(@Observes StartupEvent started) {
        membership.ifPresent(member -> drain.whenChanged(member::hurry));
        if (membership.isPresent()) {
            recurring.start(Announcer.PERIOD, Announcer.PERIOD);
        }
    }

    /** Joins the cluster, once calls are served. */
    void join() {
        membership.ifPresent(Membership::start);
        heat.ifPresent(HeatReporter::start);
        warmer.ifPresent(Warmer::start);
        purger.ifPresent(Purger::start);
    }

    /** Leaves the cluster, after callers were sent elsewhere and before the parts that serve calls stop. */
    void stop(@Observes @Priority(2) ShutdownEvent stopping) throws InterruptedException {
        drain.wish(Drain.Wish.STOPPING, true);
        warmer.ifPresent(Warmer::close);
        purger.ifPresent(Purger::close);
        if (membership.isPresent() && !membership.get().lease().isEmpty()) {
            // Clients that have not heard yet may come until then, whether or not some are here now.
            TimeUnit.NANOSECONDS.sleep(Math.max(0, drain.left().toNanos()));
        }
        int cut = calls.awaitIdle(
                settings.drainTimeout().plusNanos(Math.max(0, drain.left().toNanos())));
        if (cut > 0) {
            LOG.log(Level.WARNING, "{0} calls did not end within {1}, and are cut off", cut, settings.drainTimeout());
        }
        recurring.close();
        announcer.beat();
        heat.ifPresent(HeatReporter::close);
        membership.ifPresent(Membership::close);
    }
}
