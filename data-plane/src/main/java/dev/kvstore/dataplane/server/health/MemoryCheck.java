package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.memory.MemoryPool;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Is not ready while memory for blocks has been exhausted so long that calls are better sent elsewhere. */
@Readiness
@Singleton
public final class MemoryCheck implements HealthCheck {
    /** How long memory may be exhausted: six times the default of memory-wait-timeout, since a burst passes sooner. */
    public static final Duration LONG = Duration.ofSeconds(30);

    private final MemoryPool memory;

    public MemoryCheck(MemoryPool memory) {
        this.memory = memory;
    }

    /** Whether blocks find memory. */
    public boolean isUp() {
        return memory.refusing().compareTo(LONG) < 0;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("memory")
                .status(isUp())
                .withData("used", memory.usedBytes())
                .withData("limit", memory.limitBytes())
                .withData("exhausted for", memory.refusing().toSeconds() + " s")
                .build();
    }
}
