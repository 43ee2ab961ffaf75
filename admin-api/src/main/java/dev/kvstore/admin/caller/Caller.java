package dev.kvstore.admin.caller;

import dev.kvstore.admin.problem.Kind;
import dev.kvstore.admin.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name for the audit log
 * @param tenant the one tenant that it is for; null for all
 */
public record Caller(String name, Role role, @Nullable String tenant) {
    /** May see what belongs to this tenant. */
    public boolean sees(String owner) {
        return tenant == null || tenant.equals(owner);
    }

    /** May see what belongs to any tenant, or to none. */
    public boolean seesAll() {
        return tenant == null;
    }

    /**
     * Holds if this caller may see what belongs to a tenant.
     *
     * @param what such as {@code account}, for the message, which is that of something that does not exist
     * @throws ProblemException if not
     */
    public void requireSees(String owner, String what, String name) {
        if (!sees(owner)) {
            throw ProblemException.notFoundOrHidden(what, name);
        }
    }

    /** The answer for something that is not there, and that may be anybody's if it is. */
    public ProblemException notFound(String what, String name) {
        return seesAll() ? ProblemException.notFound(what, name) : ProblemException.notFoundOrHidden(what, name);
    }

    /**
     * Holds if this caller may change what belongs to a tenant.
     *
     * @throws ProblemException not found if it may not even see it, else forbidden
     */
    public void requireChanges(String owner, String what, String name) {
        requireSees(owner, what, name);
        requireTenantAdmin();
    }

    /** Holds if this caller may change the things of a tenant, of one or of all. */
    void requireTenantAdmin() {
        if (role != Role.PLATFORM_ADMIN && role != Role.TENANT_ADMIN) {
            throw forbidden();
        }
    }

    /** Holds if this caller may do what only platform admins may. */
    public void requirePlatformAdmin() {
        if (role != Role.PLATFORM_ADMIN) {
            throw forbidden();
        }
    }

    /** Holds if this caller may run regions and clusters. */
    public void requireOperator() {
        if (role != Role.PLATFORM_ADMIN && (role != Role.OPERATOR || tenant != null)) {
            throw forbidden();
        }
    }

    /** Holds if this caller may see what belongs to no tenant. */
    public void requireSeesPlatform() {
        if (tenant != null) {
            throw forbidden();
        }
    }

    private ProblemException forbidden() {
        return ProblemException.of(Kind.FORBIDDEN, "the role " + role.word() + " does not allow that");
    }
}
