package dev.kvstore.control.security;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.name.Name;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.JsonString;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

/** Takes the tenant of a caller from the claim that names it. Thread-safe. */
@ApplicationScoped
public class TenantClaim implements SecurityIdentityAugmentor {
    private static final Pattern NAME = Pattern.compile(Name.SHAPE);

    private final String claim;

    TenantClaim(@ConfigProperty(name = "kvstore.oidc.tenant-claim") String claim) {
        this.claim = claim;
    }

    /** The tenant in a token, as text, whichever library read the JSON. */
    private @Nullable Object tenant(JsonWebToken token) {
        Object value = token.getClaim(claim);
        return value instanceof JsonString text ? text.getString() : value;
    }

    private static boolean isTenant(String text) {
        return text.equals(Callers.ALL) || NAME.matcher(text).matches();
    }

    @Override
    public Uni<SecurityIdentity> augment(SecurityIdentity identity, AuthenticationRequestContext context) {
        if (!(identity.getPrincipal() instanceof JsonWebToken token) || !token.containsClaim(claim)) {
            return Uni.createFrom().item(identity);
        }
        // A tenant that cannot be understood must not extend its bearer's rights.
        if (!(tenant(token) instanceof String tenant) || !isTenant(tenant)) {
            return Uni.createFrom().failure(new AuthenticationFailedException());
        }
        return Uni.createFrom()
                .item(QuarkusSecurityIdentity.builder(identity)
                        .addAttribute(Callers.TENANT, tenant)
                        .build());
    }
}
