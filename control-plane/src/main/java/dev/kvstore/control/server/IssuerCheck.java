package dev.kvstore.control.server;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Stops the start if a property or variable names an OIDC issuer that does not prove its identity. */
@Singleton
final class IssuerCheck {
    void start(@Observes StartupEvent event, ControlPlaneSettings settings) {
        String flaw = FarEnds.issuerFlaw(settings);
        if (flaw != null) {
            throw new IllegalStateException(flaw);
        }
    }
}
