package dev.kvstore.control.membership;

import dev.kvstore.admin.waiting.PartyPlaces;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.control.resolve.CallFailure;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.security.CallingDataPlane;
import dev.kvstore.control.transport.CallerGroup;
import dev.kvstore.control.transport.Exhausted;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves calls in which a data plane names its lease, each on a virtual thread. The calls share a connection pool with
 * admins, so only a few run at a time; clusters take turns. Thread-safe.
 */
@Singleton
public final class LeaseCalls {
    /** The most calls at a time, each with one of the twenty connections of the pool. */
    private static final int PLACES = 6;

    private static final int PLACES_OF_CLUSTER = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final PartyPlaces places = new PartyPlaces(PLACES, PLACES_OF_CLUSTER);
    private final Members members;
    private final Fleets fleets;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    LeaseCalls(Members members, Fleets fleets) {
        this.members = members;
        this.fleets = fleets;
    }

    /** The work of a call. */
    @FunctionalInterface
    public interface LeaseWork<R> {
        /** @throws StatusRuntimeException if the call is refused */
        R run() throws SQLException;
    }

    /** Answers a call with the result of its work; a failure of the database ends it with UNAVAILABLE. */
    public <R> void serve(StreamObserver<R> call, LeaseWork<R> work) {
        CallerGroup clusterGroup = CallingDataPlane.current().group();
        executor.execute(() -> {
            try {
                call.onNext(inPlace(clusterGroup, work));
                call.onCompleted();
            } catch (StatusRuntimeException e) {
                call.onError(e);
            } catch (SQLException | RuntimeException | Error e) {
                call.onError(CallFailure.ofOneOfMany(e));
            }
        });
    }

    private <R> R inPlace(CallerGroup clusterGroup, LeaseWork<R> work) throws SQLException {
        if (!places.take(clusterGroup, PATIENCE)) {
            throw Exhausted.because("too many data planes claim and report at once");
        }
        try {
            return work.run();
        } finally {
            places.giveBack(clusterGroup);
        }
    }

    /**
     * Whether a data plane was in no route about a second ago, since a purge waited for it in vain. It gets no work until
     * it has confirmed that purge.
     *
     * @param lease of any content
     */
    public boolean isWithheld(String lease) {
        return fleets.snapshot()
                .filter(snapshot -> snapshot.withheld().contains(lease))
                .isPresent();
    }

    /**
     * The data plane that holds a lease.
     *
     * @param caller must be allowed to speak for that process
     * @throws StatusRuntimeException if there is no such lease, or if it is not the caller's
     */
    public LeaseHolder holder(CallingDataPlane caller, String lease) {
        try {
            return members.holder(UUID.fromString(lease))
                    .map(caller::require)
                    .orElseThrow(() -> Status.NOT_FOUND
                            .withDescription("lease: it has ended and is forgotten; register again")
                            .asRuntimeException());
        } catch (IllegalArgumentException e) {
            throw Invalid.field("lease", "must be an id that Register gave");
        }
    }
}
