package dev.kvstore.dataplane.server;

import jakarta.inject.Singleton;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Says which stores did not answer when they were last asked. Always up: one tenant's broken storage is no reason to
 * take this process from the others, and what all of them have lost, another process would not have either.
 */
@Readiness
@Singleton
public final class StorageCheck implements HealthCheck {
    /** More are counted, not named. */
    private static final int NAMED = 20;

    private final StoreConditions conditions;

    StorageCheck(StoreConditions conditions) {
        this.conditions = conditions;
    }

    @Override
    public HealthCheckResponse call() {
        Map<String, String> failing = conditions.failing();
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("storage")
                .up()
                .withData("stores", conditions.count())
                .withData("failing", failing.size());
        failing.entrySet().stream().limit(NAMED).forEach(store -> answer.withData(store.getKey(), store.getValue()));
        return answer.build();
    }
}
