package dev.kvstore.control.heat;

import dev.kvstore.clusters.member.Members;
import dev.kvstore.control.resolve.Failure;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.resolve.OneMessage;
import dev.kvstore.control.security.DataPlanes;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.ReportHeatResponse;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;
import java.sql.SQLException;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves {@code kvstore.control.v1.WarmingService}, each call on a virtual thread. */
@GrpcService
@RegisterInterceptor(DataPlanes.class)
public class WarmingCalls implements WarmingServiceGrpc.AsyncService, BindableService {
    private final Members members;
    private final HeatLedger ledger;
    private final Clock clock;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    WarmingCalls(Members members, HeatLedger ledger, Clock clock) {
        this.members = members;
        this.ledger = ledger;
        this.clock = clock;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return OneMessage.of(WarmingServiceGrpc.bindService(this));
    }

    @Override
    public void reportHeat(ReportHeatRequest request, StreamObserver<ReportHeatResponse> call) {
        executor.execute(() -> {
            try {
                String region = members.regionOf(lease(request.getLease()))
                        .orElseThrow(() -> Status.NOT_FOUND
                                .withDescription("lease: it has ended and is forgotten; register again")
                                .asRuntimeException());
                ledger.add(region, Told.of(request, clock.instant()));
                call.onNext(ReportHeatResponse.getDefaultInstance());
                call.onCompleted();
            } catch (StatusRuntimeException e) {
                call.onError(e);
            } catch (SQLException | RuntimeException e) {
                call.onError(Failure.ofOneOfMany(e));
            }
        });
    }

    private static UUID lease(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw Invalid.field("lease", "must be one that Register gave");
        }
    }
}
