package dev.kvstore.dataplane.server.health;

import dev.kvstore.listener.ListenerTls;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Is not ready once the certificate has ended, since no new client believes it; warns of that beforehand. */
@Readiness
@Singleton
public final class TlsReadiness implements HealthCheck {
    private final Optional<ListenerTls> tls;

    TlsReadiness(Optional<ListenerTls> tls) {
        this.tls = tls;
    }

    /** Whether new clients believe the certificate. */
    boolean isUp() {
        return tls.map(listener -> listener.left().isPositive()).orElse(true);
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("tls");
        if (tls.isEmpty()) {
            return answer.withData("serving", "plaintext").up().build();
        }
        ListenerTls listener = tls.get();
        answer.withData("serving", ListenerTls.stack())
                .withData("certificate", listener.identity().name())
                .withData("until", listener.identity().expiry().toString());
        if (listener.endsSoon()) {
            answer.withData("warning", "renew the certificate in " + listener.option());
        }
        return answer.status(isUp()).build();
    }
}
