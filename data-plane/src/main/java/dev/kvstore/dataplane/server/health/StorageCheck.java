package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.server.StoreConditions;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Counts the stores that did not answer when they were last asked; the log names them, since a caller that asks for
 * health shows no key. The check is always up: one tenant's broken storage is no reason to take this process from the
 * others, and a storage that all of them have lost is lost to another process too.
 */
@Readiness
@Singleton
public final class StorageCheck implements HealthCheck {
    private final StoreConditions conditions;

    public StorageCheck(StoreConditions conditions) {
        this.conditions = conditions;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("storage")
                .up()
                .withData("stores", conditions.count())
                .withData("failing", conditions.failing().size())
                .build();
    }
}
