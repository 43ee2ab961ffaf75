package dev.kvstore.dataplane.service;

import com.google.protobuf.MessageLite;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.UnaryHandler;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.wire.LentMarshaller;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import java.util.concurrent.Executor;

/** {@code kvstore.v1.KVStoreService}: binds each method to the class that serves it. Thread-safe. */
public final class KvStoreService implements BindableService {
    private final Lookups lookups;
    private final PartitionLookups partitionLookups;
    private final SingleRead read;
    private final Reads reads;
    private final Writes writes;
    private final ServiceLimits limits;
    private final Admission admission;
    private final Executor executor;
    private final SharedBudget sendingBudget;

    /**
     * A service made of these parts.
     *
     * @param executor a virtual thread per task
     */
    public KvStoreService(
            RequestAuthorisation authorisation,
            Tiers tiers,
            Heat heat,
            BlockIngest ingest,
            ServiceLimits limits,
            Admission admission,
            Executor executor) {
        this.lookups = new Lookups(authorisation);
        this.partitionLookups = new PartitionLookups(authorisation, executor);
        this.reads = new Reads(authorisation, tiers, heat, limits, admission.blocks(), executor);
        this.read = new SingleRead(authorisation, tiers, reads, admission.blocks());
        this.writes = new Writes(authorisation, ingest, limits, admission.blocks(), executor);
        this.limits = limits;
        this.admission = admission;
        this.executor = executor;
        this.sendingBudget = new SharedBudget(limits.unarySendBytes(), BlockStore.MAX_BLOB_BYTES);
    }

    /** Bytes of responses of Read that clients have not read yet. */
    public long unarySendBytes() {
        return sendingBudget.used();
    }

    @Override
    public ServerServiceDefinition bindService() {
        return described(ServerServiceDefinition.builder(KVStoreServiceGrpc.SERVICE_NAME)
                .addMethod(KvStoreMethods.ServerMethods.LOOKUP, unary(lookups, admission.lookups()))
                .addMethod(KvStoreMethods.ServerMethods.LOOKUP_ALL, unary(partitionLookups, admission.lookups()))
                .addMethod(LentMarshaller.answering(KvStoreMethods.ServerMethods.READ), unary(read, admission.blocks()))
                .addMethod(KvStoreMethods.ServerMethods.WRITE, unary(writes::answer, admission.blocks()))
                .addMethod(LentMarshaller.answering(KvStoreMethods.ServerMethods.STREAMING_READ), reads)
                .addMethod(KvStoreMethods.ServerMethods.STREAMING_WRITE, writes)
                .build());
    }

    /** The service with what reflection tells of it: the file of its messages. */
    private static ServerServiceDefinition described(ServerServiceDefinition service) {
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(KVStoreServiceGrpc.SERVICE_NAME)
                .setSchemaDescriptor(KVStoreServiceGrpc.getServiceDescriptor().getSchemaDescriptor());
        service.getMethods().forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder described = ServerServiceDefinition.builder(descriptor.build());
        service.getMethods().forEach(described::addMethod);
        return described.build();
    }

    private <Q extends MessageLite, R> UnaryHandler<Q, R> unary(
            UnaryHandler.UnaryWork<Q, R> work, CallAdmission callAdmission) {
        return new UnaryHandler<>(work, callAdmission, sendingBudget, limits, executor);
    }
}
