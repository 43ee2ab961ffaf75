package dev.kvstore.control.security;

import dev.kvstore.admin.caller.Callers;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Takes the tenant of a caller from the claim that names it. Thread-safe. */
@ApplicationScoped
public class Tenancy implements SecurityIdentityAugmentor {
    private final String claim;

    Tenancy(@ConfigProperty(name = "kvstore.oidc.tenant-claim", defaultValue = "kvstore_tenant") String claim) {
        this.claim = claim;
    }

    @Override
    public Uni<SecurityIdentity> augment(SecurityIdentity identity, AuthenticationRequestContext context) {
        if (identity.getPrincipal() instanceof JsonWebToken token && token.getClaim(claim) instanceof String tenant) {
            return Uni.createFrom()
                    .item(QuarkusSecurityIdentity.builder(identity)
                            .addAttribute(Callers.TENANT, tenant)
                            .build());
        }
        return Uni.createFrom().item(identity);
    }
}
