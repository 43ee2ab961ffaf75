package dev.kvstore.admin.caller;

import dev.kvstore.admin.name.PlainText;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The caller of the request that is being served. */
@ApplicationScoped
public class Callers {
    /** The attribute of an identity that names its tenant. */
    public static final String TENANT = "kvstore.tenant";

    /**
     * The word in place of a tenant's name that stands for all tenants, for viewers. A missing claim gives no rights.
     */
    public static final String ALL = "*";

    /** The attribute of the identity of the shared admin token. */
    public static final String SHARED_TOKEN = "kvstore.shared-token";

    /** The name of the bearer of the shared admin token. */
    public static final String LOCAL_ADMIN = "local-admin";

    /** The first word of the names that data planes have in the audit log. */
    public static final String DATA_PLANE = "data-plane";

    /** Names in the audit log that stand for no person of an issuer: the shared token's, and the service itself. */
    private static final Set<String> RESERVED = Set.of(LOCAL_ADMIN, "control-plane");

    private final SecurityIdentity identity;

    Callers(SecurityIdentity identity) {
        this.identity = identity;
    }

    /**
     * The caller, with the first of its roles for which its credential suffices.
     *
     * @throws ProblemException if its credential gives no role, or a role within a tenant and names no tenant
     */
    public Caller current() {
        @Nullable String tenant = identity.getAttribute(TENANT);
        for (Role role : Role.values()) {
            if (identity.hasRole(role.word()) && suffices(role, tenant)) {
                boolean all = role == Role.PLATFORM_ADMIN || (role == Role.VIEWER && ALL.equals(tenant));
                return new Caller(name(), role, all ? null : tenant);
            }
        }
        throw ProblemException.of(ProblemKind.FORBIDDEN, "your credential has no role here");
    }

    /** Whether a credential that names this tenant suffices for a role; if not, its next role is tried. */
    private static boolean suffices(Role role, @Nullable String tenant) {
        return switch (role) {
            case PLATFORM_ADMIN, OPERATOR -> true;
            case TENANT_ADMIN -> tenant != null && !tenant.equals(ALL);
            case VIEWER -> tenant != null;
        };
    }

    /**
     * The caller's name without control characters. An issuer may choose any text; the log is read on terminals, and
     * the database cannot store a zero. A reserved name that comes from an issuer gets a prefix.
     */
    private String name() {
        String name = PlainText.cleaned(identity.getPrincipal().getName());
        boolean reserved = RESERVED.contains(name) || name.startsWith(DATA_PLANE);
        return reserved && identity.getAttribute(SHARED_TOKEN) == null ? "oidc:" + name : name;
    }
}
