package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.tier.disk.DiskState;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Tells the disk tier's state, and is always up: without it blocks come from storage, and the process serves as before.
 */
@Readiness
@Singleton
public final class DiskTierCheck implements HealthCheck {
    private final DiskTier disk;

    DiskTierCheck(DiskTier disk) {
        this.disk = disk;
    }

    @Override
    public HealthCheckResponse call() {
        DiskState state = disk.state();
        return HealthCheckResponse.named("disk tier")
                .up()
                .withData("state", state.condition().word())
                .withData("reason", state.reason())
                .build();
    }
}
