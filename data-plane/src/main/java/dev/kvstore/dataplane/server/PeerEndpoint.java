package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.cluster.PeerCalls;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.quarkus.grpc.GrpcService;

/** Hands the service for peers to the gRPC server. */
@GrpcService
public class PeerEndpoint implements BindableService {
    private final PeerCalls calls;

    PeerEndpoint(PeerCalls calls) {
        this.calls = calls;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return calls.bindService();
    }
}
