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
 * @param good whether its proof is still good; cheap
 */
public record CallingDataPlane(ProcessScope scope, @Nullable String region, BooleanSupplier good) {
    private static final Context.Key<CallingDataPlane> CURRENT = Context.key("kvstore-data-plane");

    /**
     * The data plane whose call is being served; must be called on the thread on which the call came.
     *
     * @throws IllegalStateException if the call did not pass {@link DataPlanes}
     */
    public static CallingDataPlane current() {
        CallingDataPlane current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("calls come by DataPlanes");
        }
        return current;
    }

    /** A context in which this data plane is the caller. */
    Context attach(Context context) {
        return context.withValue(CURRENT, this);
    }

    /** The name of this data plane in the log of changes: that of its proof, whatever the data plane calls itself. */
    public String actor() {
        return Callers.DATA_PLANE + " of " + scope;
    }

    /** The cluster for which this data plane's calls count. */
    public CallerGroup group() {
        return CallerGroup.cluster(scope.cluster());
    }

    /** Whether its proof is still good: its join token was not revoked and has not expired. */
    public boolean isGood() {
        return good.getAsBoolean();
    }

    /**
     * Checks that this data plane may speak for a process.
     *
     * @throws StatusRuntimeException if not
     */
    public void require(String cluster, String process) {
        if (!scope.covers(cluster, process)) {
            throw denied("is not for " + cluster + "/" + process);
        }
    }

    /**
     * Checks that this data plane may speak for the process that has a lease.
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
     * The region for which this data plane asks.
     *
     * @param said the region that the data plane names; empty for none
     * @throws StatusRuntimeException if its cluster is in another region
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
