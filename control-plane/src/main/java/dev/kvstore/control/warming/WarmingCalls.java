package dev.kvstore.control.warming;

import dev.kvstore.clusters.member.LeaseHolder;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.control.heat.Heats;
import dev.kvstore.control.resolve.Failure;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.resolve.OneMessage;
import dev.kvstore.control.security.DataPlane;
import dev.kvstore.control.security.DataPlanes;
import dev.kvstore.control.security.RefusedReports;
import dev.kvstore.protocol.control.v1.ClaimRequest;
import dev.kvstore.protocol.control.v1.ClaimResponse;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.ReportHeatResponse;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportListedResponse;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves {@code kvstore.control.v1.WarmingService}, each call on a virtual thread. */
@GrpcService
@RegisterInterceptor(DataPlanes.class)
public class WarmingCalls implements WarmingServiceGrpc.AsyncService, BindableService {
    private final Members members;
    private final Heats heats;
    private final WarmingKeeper keeper;
    private final Claims claims;
    private final Chunks chunks;
    private final Listings listings;
    private final RefusedReports refused;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    WarmingCalls(
            Members members,
            Heats heats,
            WarmingKeeper keeper,
            Claims claims,
            Chunks chunks,
            Listings listings,
            RefusedReports refused) {
        this.refused = refused;
        this.members = members;
        this.heats = heats;
        this.keeper = keeper;
        this.claims = claims;
        this.chunks = chunks;
        this.listings = listings;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return OneMessage.of(WarmingServiceGrpc.bindService(this));
    }

    /** The work of a call. */
    @FunctionalInterface
    private interface Work<R> {
        R run() throws SQLException;
    }

    private <R> void serve(StreamObserver<R> call, Work<R> work) {
        executor.execute(() -> {
            try {
                call.onNext(work.run());
                call.onCompleted();
            } catch (StatusRuntimeException e) {
                call.onError(e);
            } catch (SQLException | RuntimeException | Error e) {
                call.onError(Failure.ofOneOfMany(e));
            }
        });
    }

    @Override
    public void reportHeat(ReportHeatRequest request, StreamObserver<ReportHeatResponse> call) {
        DataPlane caller = DataPlane.current();
        serve(call, () -> {
            heats.told(holder(caller, request.getLease()).region(), request);
            return ReportHeatResponse.getDefaultInstance();
        });
    }

    /** Asked every few seconds by every process: while there is nothing to do, the database is not. */
    @Override
    public void claim(ClaimRequest request, StreamObserver<ClaimResponse> call) {
        DataPlane caller = DataPlane.current();
        serve(call, () -> {
            ClaimResponse.Builder answer = ClaimResponse.newBuilder();
            if (!keeper.isIdle()) {
                claims.next(holder(caller, request.getLease()), request.getWarmingsList())
                        .ifPresent(answer::setTask);
            }
            return answer.build();
        });
    }

    @Override
    public void reportCopied(ReportCopiedRequest request, StreamObserver<ReportCopiedResponse> call) {
        DataPlane caller = DataPlane.current();
        serve(call, () -> {
            Chunks.Report report = Reports.copied(request, holder(caller, request.getLease()));
            try {
                return chunks.report(report)
                        .map(budget -> ReportCopiedResponse.newBuilder()
                                .setBudget(Claims.budget(budget))
                                .build())
                        .orElse(ReportCopiedResponse.newBuilder().setOver(true).build());
            } catch (AnothersClaim e) {
                refused.copied(e.getMessage());
                return ReportCopiedResponse.newBuilder().setOver(true).build();
            } catch (IllegalArgumentException e) {
                throw Invalid.field("from", "and outcomes must go on where the report before ended, within the chunk");
            }
        });
    }

    @Override
    public void reportListed(ReportListedRequest request, StreamObserver<ReportListedResponse> call) {
        DataPlane caller = DataPlane.current();
        serve(call, () -> {
            Listings.Report report = Reports.listed(request, holder(caller, request.getLease()));
            try {
                return listings.report(report)
                        .map(budget -> ReportListedResponse.newBuilder()
                                .setBudget(Claims.budget(budget))
                                .build())
                        .orElse(ReportListedResponse.newBuilder().setOver(true).build());
            } catch (AnothersClaim e) {
                refused.listed(e.getMessage());
                return ReportListedResponse.newBuilder().setOver(true).build();
            }
        });
    }

    private LeaseHolder holder(DataPlane caller, String lease) {
        try {
            return members.holder(UUID.fromString(lease))
                    .map(caller::require)
                    .orElseThrow(() -> Status.NOT_FOUND
                            .withDescription("lease: it has ended and is forgotten; register again")
                            .asRuntimeException());
        } catch (IllegalArgumentException e) {
            throw Invalid.field("lease", "must be one that Register gave");
        }
    }
}
