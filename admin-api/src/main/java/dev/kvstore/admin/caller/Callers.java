package dev.kvstore.admin.caller;

import dev.kvstore.admin.name.PlainText;
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
    public static final String ALL = "*";

    private final SecurityIdentity identity;

    Callers(SecurityIdentity identity) {
        this.identity = identity;
    }

    /**
     * Who asks, by the first of their roles that their credential suffices for.
     *
     * @throws ProblemException if their credential gives them no role, or one within a tenant and names none
     */
    public Caller current() {
        @Nullable String tenant = identity.getAttribute(TENANT);
        for (Role role : Role.values()) {
            if (identity.hasRole(role.word()) && suffices(role, tenant)) {
                boolean all = role == Role.PLATFORM_ADMIN || (role == Role.VIEWER && ALL.equals(tenant));
                return new Caller(name(), role, all ? null : tenant);
            }
        }
        throw ProblemException.of(Kind.FORBIDDEN, "your credential has no role here");
    }

    /** Whether a credential that names this tenant is enough for a role; if it is not, another of its roles may do. */
    private static boolean suffices(Role role, @Nullable String tenant) {
        return switch (role) {
            case PLATFORM_ADMIN, OPERATOR -> true;
            case TENANT_ADMIN -> tenant != null && !tenant.equals(ALL);
            case VIEWER -> tenant != null;
        };
    }

    /** An issuer may choose any text; the log is read on terminals, and the database keeps no zero. */
    private String name() {
        return PlainText.cleaned(identity.getPrincipal().getName());
    }
}
