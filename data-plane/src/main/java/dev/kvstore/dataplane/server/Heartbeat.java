package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.rate.Recurring;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Lets presence tell others of the blocks stored here, as long as the process runs, and once more at its end. */
@Singleton
public final class Heartbeat {
    private final Presence presence;
    private final Recurring recurring;

    Heartbeat(Presence presence) {
        this.presence = presence;
        this.recurring = new Recurring("presence-beat", "presence is told", () -> {
            var _ = presence.beat();
        });
    }

    void start(@Observes StartupEvent started) {
        recurring.start(Presence.BEAT, Presence.BEAT);
    }

    void stop(@Observes ShutdownEvent stopping) {
        recurring.close();
        presence.close();
    }
}
