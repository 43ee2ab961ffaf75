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

    /** In place of a tenant's name, for viewers: every tenant. One has to say so: a claim that is missing opens nothing. */
    private static final String ALL = "*";

    private final SecurityIdentity identity;

    Callers(SecurityIdentity identity) {
        this.identity = identity;
    }

    /**
     * Who asks.
     *
     * @throws ProblemException if their credential gives them no role, or one within a tenant and names none
     */
    public Caller current() {
        @Nullable String tenant = identity.getAttribute(TENANT);
        for (Role role : Role.values()) {
            if (identity.hasRole(role.word())) {
                boolean within = role == Role.TENANT_ADMIN || role == Role.VIEWER;
                if (within && tenant == null) {
                    break;
                }
                boolean all = role == Role.PLATFORM_ADMIN || (role == Role.VIEWER && ALL.equals(tenant));
                return new Caller(identity.getPrincipal().getName(), role, all ? null : tenant);
            }
        }
        throw ProblemException.of(Kind.FORBIDDEN, "your credential has no role here");
    }
}
