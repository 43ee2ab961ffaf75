package dev.kvstore.control.security;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.control.transport.CallerGroup;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The data plane that calls, as it has proven. Immutable.
 *
 * @param scope the processes that it may speak for
 * @param region where its cluster is; null for one of any region
 * @param good whether its proof still is; costs nothing to ask
 */
public record CallingDataPlane(ProcessScope scope, @Nullable String region, BooleanSupplier good) {
    private static final Context.Key<CallingDataPlane> CURRENT = Context.key("kvstore-data-plane");

    /**
     * The caller of the call that is being served; to be asked on the thread that the call came on.
     *
     * @throws IllegalStateException if it did not come by {@link DataPlanes}
     */
    public static CallingDataPlane current() {
        CallingDataPlane current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("calls come by DataPlanes");
        }
        return current;
    }

    /** A context in which it is the one that calls. */
    Context attach(Context context) {
        return context.withValue(CURRENT, this);
    }

    /** How the log of changes names it: by its proof, whatever it calls itself. */
    public String actor() {
        return Callers.DATA_PLANE + " of " + scope;
    }

    /** The cluster for which its calls count. */
    public CallerGroup group() {
        return CallerGroup.cluster(scope.cluster());
    }

    /** Whether its proof is still good: its join token was not revoked and has not expired. */
    public boolean isGood() {
        return good.getAsBoolean();
    }

    /**
     * Holds if it may speak for a process.
     *
     * @throws StatusRuntimeException if not
     */
    public void require(String cluster, String process) {
        if (!scope.covers(cluster, process)) {
            throw denied("is not for " + cluster + "/" + process);
        }
    }

    /**
     * Holds if it may speak for the process that has a lease.
     *
     * @throws StatusRuntimeException if not
     */
    public LeaseHolder require(LeaseHolder holder) {
        if (!holder.isIn(scope)) {
            throw denied("is not for the process of this lease");
        }
        return holder;
    }

    /**
     * The region for which it asks.
     *
     * @param said as it says; empty for nothing
     * @throws StatusRuntimeException if its cluster is in another
     */
    public String requireRegion(String said) {
        if (region == null || said.equals(region)) {
            return said;
        }
        if (said.isEmpty()) {
            return region;
        }
        throw denied("is not for the region " + said + ", but for " + region);
    }

    private StatusRuntimeException denied(String what) {
        return Status.PERMISSION_DENIED
                .withDescription("the data plane's join token or certificate, of " + scope + ", " + what)
                .asRuntimeException();
    }
}
