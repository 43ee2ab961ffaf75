package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Is not ready while calls are to go elsewhere. */
@Readiness
@Singleton
public final class DrainCheck implements HealthCheck {
    private final Drain drain;
    private final CallMeter calls;

    DrainCheck(Drain drain, CallMeter calls) {
        this.drain = drain;
        this.calls = calls;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("drain")
                .status(!drain.isWanted())
                .withData("open calls", calls.open())
                .build();
    }
}
