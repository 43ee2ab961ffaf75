package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.util.concurrent.Executor;

/** {@code kvstore.v1.KVStoreService}: the five methods, bound to what serves them. Thread-safe. */
public final class KvStoreService implements BindableService {
    private final Lookups lookups;
    private final Reads reads;
    private final Writes writes;
    private final Limits limits;
    private final Executor executor;
    private final ByteBudget sending;

    /**
     * The service over these parts.
     *
     * @param executor a virtual thread per task
     */
    public KvStoreService(
            AccountResolver accounts,
            StoreCache stores,
            Presence presence,
            Tiers tiers,
            BlockWriter writer,
            Limits limits,
            Executor executor) {
        Grants grants = new Grants(accounts, stores);
        this.lookups = new Lookups(grants, presence);
        this.reads = new Reads(grants, presence, tiers, limits, executor);
        this.writes = new Writes(grants, writer, limits, executor);
        this.limits = limits;
        this.executor = executor;
        this.sending = new ByteBudget(limits.unarySendBytes());
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(KVStoreServiceGrpc.SERVICE_NAME)
                .addMethod(KvStoreMethods.Server.LOOKUP, new UnaryHandler<>(lookups::answer, sending, limits, executor))
                .addMethod(KvStoreMethods.Server.READ, new UnaryHandler<>(reads::answer, sending, limits, executor))
                .addMethod(KvStoreMethods.Server.WRITE, new UnaryHandler<>(writes::answer, sending, limits, executor))
                .addMethod(KvStoreMethods.Server.STREAMING_READ, reads)
                .addMethod(KvStoreMethods.Server.STREAMING_WRITE, writes)
                .build();
    }
}
