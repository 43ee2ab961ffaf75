package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.rate.Recurring;
import dev.kvstore.dataplane.server.EventLoops;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.quarkus.grpc.runtime.health.GrpcHealthStorage;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.Readiness;

/** Asks the network threads for a sign of life once a second, and tells gRPC's own health service. */
@Singleton
public final class LivenessMonitor {
    private final EventLoops loops;
    private final GrpcHealthStorage health;
    private final MemoryCheck memory;
    private final TlsReadiness tls;
    private final AccountsCheck accounts;
    private final Drain drain;
    private final Recurring recurring = new Recurring("pulse", "health is told", this::beat);

    LivenessMonitor(
            EventLoops loops,
            GrpcHealthStorage health,
            @Readiness MemoryCheck memory,
            @Readiness TlsReadiness tls,
            @Readiness AccountsCheck accounts,
            Drain drain) {
        this.loops = loops;
        this.health = health;
        this.memory = memory;
        this.tls = tls;
        this.accounts = accounts;
        this.drain = drain;
    }

    void start(@Observes StartupEvent started) {
        recurring.start(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Tells callers to leave before anything else stops, so that they leave while they are still answered. */
    void stop(@Observes @Priority(1) ShutdownEvent stopping) {
        recurring.close();
        tell(ServingStatus.NOT_SERVING);
    }

    private void beat() {
        loops.ask();
        tell(isServing() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    private boolean isServing() {
        return memory.isUp() && tls.isUp() && accounts.isUp() && !drain.isWanted();
    }

    private void tell(ServingStatus status) {
        health.setStatus(GrpcHealthStorage.DEFAULT_SERVICE_NAME, status);
        health.setStatus(KVStoreServiceGrpc.SERVICE_NAME, status);
    }
}
