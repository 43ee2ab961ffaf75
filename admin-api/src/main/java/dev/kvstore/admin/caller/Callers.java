package dev.kvstore.admin.caller;

import dev.kvstore.admin.problem.Kind;
import dev.kvstore.admin.problem.ProblemException;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Tells who asks, of the request that is being served. */
@ApplicationScoped
public class Callers {
    /** The attribute of an identity that names its tenant. */
    public static final String TENANT = "kvstore.tenant";

    private final SecurityIdentity identity;

    Callers(SecurityIdentity identity) {
        this.identity = identity;
    }

    /**
     * Who asks.
     *
     * @throws ProblemException if their credential gives them no role, or is a tenant admin's and names no tenant
     */
    public Caller current() {
        @Nullable String tenant = identity.getAttribute(TENANT);
        for (Role role : Role.values()) {
            if (identity.hasRole(role.word())) {
                if (role == Role.TENANT_ADMIN && tenant == null) {
                    break;
                }
                return new Caller(identity.getPrincipal().getName(), role, role == Role.PLATFORM_ADMIN ? null : tenant);
            }
        }
        throw ProblemException.of(Kind.FORBIDDEN, "your credential has no role here");
    }
}
