package dev.kvstore.simulation.fleet;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.simulation.world.HostSchedule;
import java.util.concurrent.TimeUnit;

/** Ends a period of an announcer only if there are announcements: a history would be full of empty beats otherwise. */
final class AnnouncementBeats implements Announcements {
    private final Announcer announcer;
    private final HostSchedule schedule;
    private boolean isDue;

    AnnouncementBeats(Announcer announcer, HostSchedule schedule) {
        this.announcer = announcer;
        this.schedule = schedule;
    }

    @Override
    public void stored(BlockKey key, boolean anew) {
        announcer.stored(key, anew);
        if (!isDue) {
            isDue = true;
            long period = Announcer.PERIOD.toNanos();
            var _ = schedule.schedule(this::beat, period - System.nanoTime() % period, TimeUnit.NANOSECONDS);
        }
    }

    private void beat() {
        isDue = false;
        announcer.beat();
    }
}
