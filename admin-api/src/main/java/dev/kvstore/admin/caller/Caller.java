package dev.kvstore.admin.caller;

import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request.
 *
 * @param name the name in the audit log
 * @param tenant the tenant to which the caller is confined; null for the whole platform
 */
public record Caller(String name, Role role, @Nullable String tenant) {
    /**
     * The party that has one share of the resources for which callers compete: a tenant, or one caller of the whole
     * platform.
     */
    public String party() {
        return tenant == null ? "caller " + name : "tenant " + tenant;
    }

    /** Whether the caller may see the resources of this tenant. */
    public boolean sees(String owner) {
        return tenant == null || tenant.equals(owner);
    }

    /** Whether the caller may see the resources of all tenants and of the platform. */
    public boolean seesAll() {
        return tenant == null;
    }

    /**
     * Checks that the caller may see the resources of a tenant.
     *
     * @param what the kind of resource for the message, such as {@code account}; the message is that for a resource
     *     that does not exist
     * @throws ProblemException if not
     */
    public void requireSees(String owner, String what, String name) {
        if (!sees(owner)) {
            throw ProblemException.notFoundOrHidden(what, name);
        }
    }

    /** The answer for a resource that does not exist, so that its tenant is not known. */
    public ProblemException notFound(String what, String name) {
        return seesAll() ? ProblemException.notFound(what, name) : ProblemException.notFoundOrHidden(what, name);
    }

    /**
     * Checks that the caller may change the resources of a tenant.
     *
     * @throws ProblemException {@code NOT_FOUND} if the caller may not see them, {@code FORBIDDEN} if the caller may
     *     only see them
     */
    public void requireChanges(String owner, String what, String name) {
        requireSees(owner, what, name);
        requireTenantAdmin();
    }

    /** Checks that the caller's role may change resources of tenants. */
    void requireTenantAdmin() {
        if (role != Role.PLATFORM_ADMIN && role != Role.TENANT_ADMIN) {
            throw forbidden();
        }
    }

    /** Checks that the caller is a platform admin. */
    public void requirePlatformAdmin() {
        if (role != Role.PLATFORM_ADMIN) {
            throw forbidden();
        }
    }

    /** Checks that the caller may change regions and clusters. */
    public void requireOperator() {
        if (role != Role.PLATFORM_ADMIN && (role != Role.OPERATOR || tenant != null)) {
            throw forbidden();
        }
    }

    /** Checks that the caller may see the resources of the platform. */
    public void requireSeesPlatform() {
        if (tenant != null) {
            throw forbidden();
        }
    }

    private ProblemException forbidden() {
        return ProblemException.of(ProblemKind.FORBIDDEN, "the role " + role.word() + " does not allow that");
    }
}
