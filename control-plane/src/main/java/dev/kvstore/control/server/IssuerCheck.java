package dev.kvstore.control.server;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Stops the start if a property or variable names an OIDC issuer that does not prove its identity. */
@Singleton
final class IssuerCheck {
    private final boolean enabled;
    private final boolean insecure;
    private final String issuer;

    IssuerCheck(
            @ConfigProperty(name = "kvstore.oidc.enabled", defaultValue = "false") boolean enabled,
            @ConfigProperty(name = "kvstore.oidc.insecure", defaultValue = "false") boolean insecure,
            @ConfigProperty(name = "kvstore.oidc.issuer", defaultValue = "http://127.0.0.1:1/none") String issuer) {
        this.enabled = enabled;
        this.insecure = insecure;
        this.issuer = issuer;
    }

    void start(@Observes StartupEvent event) {
        String flaw = enabled && !insecure ? FarEnds.issuerFlaw(issuer) : null;
        if (flaw != null) {
            throw new IllegalStateException(flaw);
        }
    }
}
