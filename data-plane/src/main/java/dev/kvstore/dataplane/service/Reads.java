package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.wire.ZeroCopyMessage;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/** Read and StreamingRead. Thread-safe. */
final class Reads implements ServerCallHandler<Received<StreamingReadRequest>, ZeroCopyMessage<StreamingReadResponse>> {
    /**
     * Bytes of one stream in the transport beyond which it is no longer ready: some parts, as one write to the socket
     * takes them.
     */
    private static final int TRANSPORT_BYTES = 512 * 1024;

    /**
     * Bytes of one stream that may wait for the transport. Its thread is woken when half of them are sent, and loads
     * more while the rest is sent.
     */
    private static final long OUTBOX_BYTES = 2L * 1024 * 1024;

    /** Number of streams whose bytes may wait so. Further streams send part by part, so that next to nothing waits. */
    private static final int FAST_STREAMS = 128;

    /** The same for the first few streams: where a few streams read much, waking threads is a twentieth of the work. */
    private static final long FEW_OUTBOX_BYTES = 8L * 1024 * 1024;

    /** Number of these streams, chosen so that their bytes add less than 100 MiB. */
    private static final int FEW_STREAMS = 16;

    private final RequestAuthorisation grants;
    private final Tiers tiers;
    private final Heat heat;
    private final ServiceLimits limits;
    private final CallAdmission operations;
    private final Executor executor;
    private final SharedBudget prefetch;
    private final SharedBudget loads = new SharedBudget(ServiceLimits.LOADS_AHEAD, 0);
    private final Semaphore fast = new Semaphore(FAST_STREAMS);
    private final Semaphore few = new Semaphore(FEW_STREAMS);

    Reads(
            RequestAuthorisation grants,
            Tiers tiers,
            Heat heat,
            ServiceLimits limits,
            CallAdmission operations,
            Executor executor) {
        this.grants = grants;
        this.tiers = tiers;
        this.heat = heat;
        this.limits = limits;
        this.operations = operations;
        this.executor = executor;
        this.prefetch = new SharedBudget(limits.sharedPrefetchBytes(), 0);
    }

    /**
     * Waits until the account's limit allows the block, and counts its bytes.
     *
     * @return whether it waited
     */
    boolean pace(AccountUsage share, int bytes, BandwidthGate.StreamPause pause)
            throws CallRefusal, InterruptedException {
        return BandwidthGate.keep(operations, share, bytes, pause);
    }

    /** Refuses a block that would have to wait longer than {@link BandwidthGate#PATIENCE}. */
    void requireHope(AccountUsage share) throws CallRefusal {
        Duration due = share.due();
        if (due.compareTo(BandwidthGate.PATIENCE) > 0) {
            throw operations.spent(share, due);
        }
    }

    /** The block; throws why there is none. */
    static StoredBlock found(Fetched fetched) throws CallRefusal {
        return switch (fetched) {
            case Fetched.FetchedBlock found -> found.block();
            case Fetched.Absent _ -> throw CallRefusal.notFound();
            case Fetched.Damaged damaged -> throw CallRefusal.damaged(damaged.reason(), damaged.removed());
        };
    }

    /** Counts a use of this block. */
    void served(Account account, BlockKey key, StoredBlock block) {
        heat.used(account, key, block);
    }

    @Override
    public ServerCall.Listener<Received<StreamingReadRequest>> startCall(
            ServerCall<Received<StreamingReadRequest>, ZeroCopyMessage<StreamingReadResponse>> call, Metadata headers) {
        CallInput<StreamingReadRequest> inbox = CallInput.open(call, operations, executor);
        if (inbox == null) {
            return CallInput.deaf();
        }
        Prefetch ahead =
                new Prefetch(tiers, prefetch, loads, inbox.place().party(), limits.streamPrefetchBytes(), inbox::wake);
        Outbox<StreamingReadResponse> outbox =
                new Outbox<>(call, inbox, outboxBytes(call, inbox), limits.stall(), StalledClientReset.ofCurrentCall());
        inbox.serve(
                new ReadStream(call, inbox, grants, Authentication.credential(), this, ahead, outbox, limits.stall()));
        return inbox;
    }

    private long outboxBytes(ServerCall<?, ?> call, CallInput<?> inbox) {
        if (!fast.tryAcquire()) {
            return 0;
        }
        inbox.whenClosed(fast::release);
        call.setOnReadyThreshold(TRANSPORT_BYTES);
        if (!few.tryAcquire()) {
            return OUTBOX_BYTES;
        }
        inbox.whenClosed(few::release);
        return FEW_OUTBOX_BYTES;
    }
}
