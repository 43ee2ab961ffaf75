package dev.kvstore.control.warming;

import dev.kvstore.control.heat.HeatReportStore;
import dev.kvstore.control.job.AnothersClaim;
import dev.kvstore.control.membership.LeaseCalls;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.resolve.OneMessage;
import dev.kvstore.control.security.CallingDataPlane;
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
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;

/** Serves {@code kvstore.control.v1.WarmingService}, each call on a virtual thread. */
@GrpcService
@RegisterInterceptor(DataPlanes.class)
public class WarmingCalls implements WarmingServiceGrpc.AsyncService, BindableService {
    private final LeaseCalls calls;
    private final HeatReportStore heats;
    private final WarmingKeeper keeper;
    private final Claims claims;
    private final Chunks chunks;
    private final Listings listings;
    private final RefusedReports refused;

    WarmingCalls(
            LeaseCalls calls,
            HeatReportStore heats,
            WarmingKeeper keeper,
            Claims claims,
            Chunks chunks,
            Listings listings,
            RefusedReports refused) {
        this.refused = refused;
        this.calls = calls;
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

    @Override
    public void reportHeat(ReportHeatRequest request, StreamObserver<ReportHeatResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            heats.told(calls.holder(caller, request.getLease()), request);
            return ReportHeatResponse.getDefaultInstance();
        });
    }

    /** Answers a process, which asks every few seconds. While there is no work, the database is not asked. */
    @Override
    public void claim(ClaimRequest request, StreamObserver<ClaimResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            ClaimResponse.Builder answer = ClaimResponse.newBuilder();
            if (!keeper.isIdle() && !calls.isWithheld(request.getLease())) {
                claims.next(calls.holder(caller, request.getLease()), request.getWarmingsList())
                        .ifPresent(answer::setTask);
            }
            return answer.build();
        });
    }

    @Override
    public void reportCopied(ReportCopiedRequest request, StreamObserver<ReportCopiedResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            Chunks.ChunkProgress report = Reports.copied(request, calls.holder(caller, request.getLease()));
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
        CallingDataPlane caller = CallingDataPlane.current();
        calls.serve(call, () -> {
            Listings.ListingProgress report = Reports.listed(request, calls.holder(caller, request.getLease()));
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
}
