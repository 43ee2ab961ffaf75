package dev.kvstore.control.membership;

import dev.kvstore.admin.waiting.PartyPlaces;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Join;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.clusters.lease.Registration;
import dev.kvstore.clusters.member.Beat;
import dev.kvstore.clusters.member.Corrections;
import dev.kvstore.clusters.member.DatabaseClock;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.HeartbeatQueue;
import dev.kvstore.clusters.member.RenewedLease;
import dev.kvstore.control.resolve.CallFailure;
import dev.kvstore.control.resolve.OneMessage;
import dev.kvstore.control.security.CallingDataPlane;
import dev.kvstore.control.security.DataPlanes;
import dev.kvstore.control.transport.CallerGroup;
import dev.kvstore.control.transport.Exhausted;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.HeartbeatResponse;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.LeaveResponse;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.RegisterResponse;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves {@code kvstore.control.v1.MembershipService}: each Register and Leave on a virtual thread; heartbeats without
 * a thread, answered when their batch is written.
 */
@GrpcService
@RegisterInterceptor(DataPlanes.class)
public class MembershipCalls implements MembershipServiceGrpc.AsyncService, BindableService {
    private static final Logger LOG = System.getLogger(MembershipCalls.class.getName());

    /**
     * Registrations at a time. A whole fleet may register at once, and must leave room at the database for everything
     * else, and for the processes of other clusters.
     */
    private static final int JOINS = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Leases leases;
    private final HeartbeatQueue heartbeats;
    private final Fleets fleets;
    private final DatabaseClock clock;
    private final MembershipMeters meters;
    private final MembershipReplies answers = new MembershipReplies();
    private final PartyPlaces joins = new PartyPlaces(JOINS, JOINS - 1);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    MembershipCalls(
            Leases leases, HeartbeatQueue heartbeats, Fleets fleets, DatabaseClock clock, MembershipMeters meters) {
        this.leases = leases;
        this.heartbeats = heartbeats;
        this.fleets = fleets;
        this.clock = clock;
        this.meters = meters;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return OneMessage.of(MembershipServiceGrpc.bindService(this));
    }

    /** The work of a call. */
    @FunctionalInterface
    private interface MembershipWork<R> {
        R run() throws SQLException;
    }

    private <R> void serve(StreamObserver<R> call, MembershipWork<R> work) {
        executor.execute(() -> {
            try {
                call.onNext(work.run());
                call.onCompleted();
            } catch (StatusRuntimeException e) {
                call.onError(e);
            } catch (SQLException | RuntimeException | Error e) {
                call.onError(CallFailure.of(e));
            }
        });
    }

    @Override
    public void register(RegisterRequest request, StreamObserver<RegisterResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        serve(call, () -> {
            Corrections corrections = new Corrections();
            Registration joining = Messages.registration(request, corrections);
            requireOwn(caller, joining);
            if (request.hasClock()) {
                corrections.clock(Messages.instant(request.getClock()), clock.instant());
            }
            return switch (join(caller.group(), joining)) {
                case Join.NoCluster(String reason) ->
                    throw Status.FAILED_PRECONDITION.withDescription(reason).asRuntimeException();
                case Join.Outside(String reason) -> {
                    LOG.log(Level.WARNING, "{0} may not join: {1}", joining, reason);
                    throw Status.PERMISSION_DENIED.withDescription(reason).asRuntimeException();
                }
                case Join.Full(String reason) -> {
                    LOG.log(Level.WARNING, "{0} may not join: {1}", joining, reason);
                    throw Exhausted.because(reason);
                }
                case Join.Taken(String reason) ->
                    throw Status.ALREADY_EXISTS.withDescription(reason).asRuntimeException();
                case Join.Joined(UUID lease, String region, boolean anew, boolean drain) -> {
                    if (anew) {
                        LOG.log(Level.INFO, "{0} joined", joining);
                    }
                    RenewedLease renewedLease = new RenewedLease(joining.cluster(), joining.process(), drain, false);
                    yield RegisterResponse.newBuilder()
                            .setLease(lease.toString())
                            .setLeaseTime(MembershipReplies.duration(Rules.LEASE))
                            .setHeartbeatPeriod(MembershipReplies.duration(Rules.HEARTBEAT))
                            .setInstructions(answers.instructions(renewedLease, fleets.snapshot(), "", corrections))
                            .setRegion(region)
                            .build();
                }
            };
        });
    }

    private void requireOwn(CallingDataPlane caller, Registration joining) {
        try {
            caller.require(joining.cluster(), joining.process());
        } catch (StatusRuntimeException e) {
            meters.joined(false);
            LOG.log(
                    Level.WARNING,
                    "{0} may not join: {1}",
                    joining,
                    e.getStatus().getDescription());
            throw e;
        }
    }

    private Join join(CallerGroup clusterGroup, Registration joining) throws SQLException {
        Join join = atATime(clusterGroup, () -> leases.join(joining));
        meters.joined(join instanceof Join.Joined);
        return join;
    }

    private <R> R atATime(CallerGroup clusterGroup, MembershipWork<R> work) throws SQLException {
        if (!joins.take(clusterGroup, PATIENCE)) {
            throw Exhausted.because("too many processes join or leave at once");
        }
        try {
            return work.run();
        } finally {
            joins.giveBack(clusterGroup);
        }
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> call) {
        Corrections corrections = new Corrections();
        Beat beat;
        try {
            beat = Messages.beat(request, CallingDataPlane.current().scope(), corrections);
        } catch (StatusRuntimeException e) {
            call.onError(e);
            return;
        }
        if (request.hasClock()) {
            corrections.clock(Messages.instant(request.getClock()), clock.instant());
        }
        Optional<CompletableFuture<Optional<RenewedLease>>> kept = heartbeats.offer(beat);
        if (kept.isEmpty()) {
            meters.refused();
            call.onError(Exhausted.because("too many heartbeats wait to be written"));
            return;
        }
        var _ = kept.get()
                .whenCompleteAsync(
                        (renewedLease, failure) -> {
                            try {
                                if (failure != null) {
                                    meters.failed();
                                    throw CallFailure.ofOneOfMany(failure);
                                }
                                answer(
                                        call,
                                        renewedLease.orElseThrow(this::unknown),
                                        request.getPeersVersion(),
                                        corrections);
                            } catch (StatusRuntimeException e) {
                                call.onError(e);
                            } catch (RuntimeException | Error e) {
                                call.onError(CallFailure.of(e));
                            }
                        },
                        executor);
    }

    private StatusRuntimeException unknown() {
        meters.unknown();
        return Status.NOT_FOUND
                .withDescription("lease: it has ended and is forgotten; register again")
                .asRuntimeException();
    }

    private void answer(
            StreamObserver<HeartbeatResponse> call,
            RenewedLease renewedLease,
            String knownPeers,
            Corrections corrections) {
        if (((ServerCallStreamObserver<HeartbeatResponse>) call).isCancelled()) {
            // The heartbeat has renewed the lease all the same; nobody would receive the list of peers.
            return;
        }
        call.onNext(HeartbeatResponse.newBuilder()
                .setInstructions(answers.instructions(renewedLease, fleets.snapshot(), knownPeers, corrections))
                .build());
        call.onCompleted();
    }

    @Override
    public void leave(LeaveRequest request, StreamObserver<LeaveResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        serve(call, () -> {
            UUID lease = Messages.lease(request.getLease());
            atATime(caller.group(), () -> leases.leave(lease, caller.scope()))
                    .ifPresent(process -> LOG.log(Level.INFO, "{0} left", process));
            return LeaveResponse.getDefaultInstance();
        });
    }
}
