package dev.kvstore.admin.refusal;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.problem.Problem;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import io.quarkus.runtime.BlockingOperationControl;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jspecify.annotations.Nullable;

/**
 * Records what admins were refused: because of a bad token or their role, or because the resource is another tenant's
 * or does not exist.
 */
public final class RefusalFilter {
    private final Refusals refusals;
    private final Denials denials;
    private final Callers callers;

    RefusalFilter(Refusals refusals, Denials denials, Callers callers) {
        this.refusals = refusals;
        this.denials = denials;
        this.callers = callers;
    }

    @ServerResponseFilter
    void keep(ContainerRequestContext request, ContainerResponseContext response) {
        if (!(response.getEntity() instanceof Problem problem)) {
            return;
        }
        String what =
                request.getMethod() + " " + request.getUriInfo().getRequestUri().getRawPath();
        if (problem.status() == ProblemKind.UNAUTHENTICATED.status()) {
            // A caller without credentials asks by mistake.
            if (request.getHeaderString("Authorization") != null) {
                refusals.offerOfStranger(new RefusedAction("unknown", null, null, what, "the token is not valid"));
            }
            return;
        }
        boolean denied = problem.status() == ProblemKind.FORBIDDEN.status();
        if (denied || problem.status() == ProblemKind.NOT_FOUND.status()) {
            Caller caller = caller();
            if (denied || (caller != null && caller.tenant() != null)) {
                refusals.offer(new RefusedAction(
                        caller == null ? "unknown" : caller.name(),
                        caller == null ? null : caller.role().word(),
                        caller == null ? null : caller.tenant(),
                        what,
                        problem.detail()));
            }
            if (denied && Thread.currentThread().isVirtual()) {
                denials.keepBack(caller == null ? "unknown" : caller.name());
            }
        }
    }

    /**
     * The caller; null if it has no role, or asked for a path that is no resource, since then it was not identified.
     */
    private @Nullable Caller caller() {
        if (!BlockingOperationControl.isBlockingAllowed()) {
            return null;
        }
        try {
            return callers.current();
        } catch (ProblemException e) {
            return null;
        }
    }
}
