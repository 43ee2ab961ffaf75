package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.wire.Lent;
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
final class Reads implements ServerCallHandler<Received<StreamingReadRequest>, Lent<StreamingReadResponse>> {
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

    private final Grants grants;
    private final Tiers tiers;
    private final Heat heat;
    private final Limits limits;
    private final Operations operations;
    private final Executor executor;
    private final SharedBudget prefetch;
    private final SharedBudget loads = new SharedBudget(Limits.LOADS_AHEAD, 0);
    private final Semaphore fast = new Semaphore(FAST_STREAMS);
    private final Semaphore few = new Semaphore(FEW_STREAMS);

    Reads(Grants grants, Tiers tiers, Heat heat, Limits limits, Operations operations, Executor executor) {
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
    boolean pace(Share share, int bytes, Pace.Pause pause) throws Refusal, InterruptedException {
        return Pace.keep(operations, share, bytes, pause);
    }

    /** Refuses a block that would have to wait longer than {@link Pace#PATIENCE}. */
    void requireHope(Share share) throws Refusal {
        Duration due = share.due();
        if (due.compareTo(Pace.PATIENCE) > 0) {
            throw operations.spent(share, due);
        }
    }

    /** The block; throws why there is none. */
    static StoredBlock found(Fetched fetched) throws Refusal {
        return switch (fetched) {
            case Fetched.Found found -> found.block();
            case Fetched.Absent _ -> throw Refusal.notFound();
            case Fetched.Damaged damaged -> throw Refusal.damaged(damaged.reason());
        };
    }

    /** Counts a use of this block. */
    void served(Account account, BlockKey key, StoredBlock block) {
        heat.used(account, key, block);
    }

    @Override
    public ServerCall.Listener<Received<StreamingReadRequest>> startCall(
            ServerCall<Received<StreamingReadRequest>, Lent<StreamingReadResponse>> call, Metadata headers) {
        Inbox<StreamingReadRequest> inbox = Inbox.open(call, operations, executor);
        if (inbox == null) {
            return Inbox.deaf();
        }
        Prefetch ahead =
                new Prefetch(tiers, prefetch, loads, inbox.place().party(), limits.streamPrefetchBytes(), inbox::wake);
        Outbox<StreamingReadResponse> outbox =
                new Outbox<>(call, inbox, outboxBytes(call, inbox), limits.stall(), Stall.ofCurrentCall());
        inbox.serve(
                new ReadStream(call, inbox, grants, Authentication.credential(), this, ahead, outbox, limits.stall()));
        return inbox;
    }

    private long outboxBytes(ServerCall<?, ?> call, Inbox<?> inbox) {
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
