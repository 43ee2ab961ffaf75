package dev.kvstore.control.purge;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.kvstore.accounts.resolve.DatabaseReplicas;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.control.membership.LeaseCalls;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.resolve.OneMessage;
import dev.kvstore.control.resolve.ReportedText;
import dev.kvstore.control.resolve.StorageEncoder;
import dev.kvstore.control.security.CallingDataPlane;
import dev.kvstore.control.security.DataPlanes;
import dev.kvstore.protocol.control.v1.ClaimDeletionRequest;
import dev.kvstore.protocol.control.v1.ClaimDeletionResponse;
import dev.kvstore.protocol.control.v1.Deletion;
import dev.kvstore.protocol.control.v1.FollowRequest;
import dev.kvstore.protocol.control.v1.FollowResponse;
import dev.kvstore.protocol.control.v1.Purge;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.Purged;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.control.v1.ReportDeletedResponse;
import dev.kvstore.protocol.purge.StorageDigest;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Serves {@code kvstore.control.v1.PurgeService}, each call on a virtual thread. */
@GrpcService
@RegisterInterceptor(DataPlanes.class)
public class PurgeCalls implements PurgeServiceGrpc.AsyncService, BindableService {
    /** Most purges in one answer. */
    private static final int MOST = 100;

    private static final int MOST_TEXT = 500;
    private static final int MOST_CURSOR = 4_096;

    private final LeaseCalls calls;
    private final Members members;
    private final PurgeKeeper keeper;
    private final PurgeSteps steps;
    private final PurgeConfirmations confirmations;
    private final Deletions deletions;
    private final DatabaseReplicas replicas;

    PurgeCalls(
            LeaseCalls calls,
            Members members,
            PurgeKeeper keeper,
            PurgeSteps steps,
            PurgeConfirmations confirmations,
            Deletions deletions,
            DatabaseReplicas replicas) {
        this.calls = calls;
        this.members = members;
        this.keeper = keeper;
        this.steps = steps;
        this.confirmations = confirmations;
        this.deletions = deletions;
        this.replicas = replicas;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return OneMessage.of(PurgeServiceGrpc.bindService(this));
    }

    /**
     * Answers a data plane, which asks every few seconds. Without news for either side this does not ask the database.
     */
    @Override
    public void follow(FollowRequest request, StreamObserver<FollowResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            FollowResponse.Builder answer = FollowResponse.newBuilder();
            PurgeSteps.OpenPurges purges = keeper.standing();
            int ahead = Long.compareUnsigned(request.getSince(), purges.latest());
            boolean isConfirmed = !calls.isWithheld(request.getLease())
                    && confirmations.isConfirmed(request.getLease(), request.getSince());
            if (!purges.open() && ahead == 0 && isConfirmed) {
                return answer.build();
            }
            UUID lease = calls.holder(caller, request.getLease()).lease();
            if (!isConfirmed) {
                confirmations.confirm(lease, request.getSince());
            }
            List<PurgeJob> changed = steps.since(request.getSince(), MOST + 1);
            changed.stream().limit(MOST).map(PurgeCalls::purge).forEach(answer::addPurges);
            return answer.setMore(changed.size() > MOST).build();
        });
    }

    /** The message of a purge. It has no names, since data planes that do not serve the account get it, too. */
    private static Purge purge(PurgeJob job) {
        Purge.Builder purge = Purge.newBuilder()
                .setId(job.id())
                .setVersion(job.version())
                .setWhat(what(job))
                .setState(
                        switch (job.state()) {
                            case TELLING, DELETING -> Purge.State.RUNNING;
                            case FORGETTING -> Purge.State.FORGETTING;
                            case DONE, PARTIAL -> Purge.State.OVER;
                            case CANCELLED -> Purge.State.VOID;
                        });
        for (PurgeJob.RegionPurge region : job.regions()) {
            purge.addPlaces(StorageDigest.of(StorageEncoder.wire(region.storage())));
        }
        return purge.build();
    }

    private static Purged what(PurgeJob job) {
        Purged.Builder what = Purged.newBuilder();
        Optional.ofNullable(job.root()).map(PurgeCalls::bytes).ifPresent(what::setRoot);
        Optional.ofNullable(job.block()).map(PurgeCalls::bytes).ifPresent(what::setHash);
        Optional.ofNullable(job.key()).ifPresent(what::setWriter);
        return what.build();
    }

    private static ByteString bytes(String hex) {
        return ByteString.copyFrom(HexFormat.of().parseHex(hex));
    }

    @Override
    public void claimDeletion(ClaimDeletionRequest request, StreamObserver<ClaimDeletionResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            ClaimDeletionResponse.Builder answer = ClaimDeletionResponse.newBuilder();
            if (keeper.standing().open() && !calls.isWithheld(request.getLease())) {
                LeaseHolder holder = calls.holder(caller, request.getLease());
                Optional<Deletions.ClaimedDeletion> claimed = deletions.claim(holder, members.now());
                if (claimed.isPresent()) {
                    deletion(claimed.get()).ifPresent(answer::setDeletion);
                }
            }
            return answer.build();
        });
    }

    private Optional<Deletion> deletion(Deletions.ClaimedDeletion claimed) throws SQLException {
        Optional<DatabaseReplicas.RegionReplica> replica =
                replicas.of(claimed.job().resourceName(), claimed.region());
        if (replica.isEmpty()) {
            deletions.giveUp(claimed, "the account has no storage there any more, or its tenant is suspended");
            return Optional.empty();
        }
        if (!replica.get().owned() || !replica.get().storage().isAt(claimed.storage())) {
            deletions.giveUp(claimed, "the account's storage there is another since, or not proven to be the tenant's");
            return Optional.empty();
        }
        return Optional.of(Deletion.newBuilder()
                .setPurge(claimed.job().id())
                .setRegion(claimed.region())
                .setClaim(claimed.claim())
                .setClaimTime(
                        Duration.newBuilder().setSeconds(Deletions.CLAIMS.time().toSeconds()))
                .setResourceName(claimed.job().resourceName())
                .setStorage(StorageEncoder.wire(replica.get().storage()))
                .setWhat(what(claimed.job()))
                .setCursor(claimed.cursor())
                .build());
    }

    @Override
    public void reportDeleted(ReportDeletedRequest request, StreamObserver<ReportDeletedResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            if (request.getCursor().length() > MOST_CURSOR
                    || request.getCursor().indexOf(0) >= 0) {
                throw Invalid.field("cursor", "must have at most " + MOST_CURSOR + " characters, none of them 0");
            }
            requireCount("looked_at", request.getLookedAt());
            requireCount("deleted", request.getDeleted());
            requireCount("failed", request.getFailed());
            UUID lease = calls.holder(caller, request.getLease()).lease();
            boolean goesOn = deletions.report(new Deletions.DeletionReport(
                    lease,
                    request.getPurge(),
                    request.getRegion(),
                    request.getClaim(),
                    request.getFrom(),
                    request.getCursor(),
                    request.getLast(),
                    request.getLookedAt(),
                    request.getDeleted(),
                    request.getFailed(),
                    ReportedText.of(request.getFlaw(), MOST_TEXT),
                    ReportedText.of(request.getWaiting(), MOST_TEXT)));
            return ReportDeletedResponse.newBuilder().setOver(!goesOn).build();
        });
    }

    private static void requireCount(String field, long count) {
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw Invalid.field(field, "must be that of a page");
        }
    }
}
