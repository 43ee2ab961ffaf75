package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.rate.Recurring;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Lets presence tell others of the blocks stored here, as long as the process runs, and once more at its end. */
@Singleton
public final class Heartbeat {
    private final Presence presence;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("presence-beat").factory());

    Heartbeat(Presence presence) {
        this.presence = presence;
    }

    void start(@Observes StartupEvent started) {
        long millis = Presence.BEAT.toMillis();
        var _ = clock.scheduleWithFixedDelay(
                new Recurring("presence is told", () -> {
                    var _ = presence.beat();
                }),
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }

    void stop(@Observes ShutdownEvent stopping) {
        clock.shutdown();
        presence.close();
    }
}
