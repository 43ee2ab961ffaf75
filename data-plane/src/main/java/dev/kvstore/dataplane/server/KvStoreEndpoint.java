package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.service.KvStoreService;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.quarkus.grpc.GrpcService;

/** Hands the service to the gRPC server. */
@GrpcService
public class KvStoreEndpoint implements BindableService {
    private final KvStoreService service;

    KvStoreEndpoint(KvStoreService service) {
        this.service = service;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return service.bindService();
    }
}
