package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.server.EventLoops;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Is not live when only a restart helps: a network thread does not respond, or threads wait for each other for ever. A
 * process without heap left ends itself.
 */
@Liveness
@Singleton
public final class ProcessCheck implements HealthCheck {
    /** Longest silence of a thread: more than a pause of the collector or of an overloaded machine should be. */
    public static final Duration LONG = Duration.ofSeconds(30);

    private final EventLoops loops;

    public ProcessCheck(EventLoops loops) {
        this.loops = loops;
    }

    @Override
    public HealthCheckResponse call() {
        Duration silence = loops.silence();
        long[] deadlocked = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
        int count = deadlocked == null ? 0 : deadlocked.length;
        return HealthCheckResponse.named("process")
                .status(silence.compareTo(LONG) < 0 && count == 0)
                .withData("network threads", loops.count())
                .withData("longest silence of one", silence.toSeconds() + " s")
                .withData("deadlocked threads", count)
                .build();
    }
}
