package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.AccountUsage;
import dev.kvstore.dataplane.call.Authentication;
import dev.kvstore.dataplane.call.BandwidthGate;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallInput;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.Outbox;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.StalledClientReset;
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

/** Serves StreamingRead, and has what SingleRead shares with it: counting, pacing and bounds. Thread-safe. */
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

    /** Bytes of each of the first few streams: where a few read much, waking threads is a twentieth of the work. */
    private static final long FEW_OUTBOX_BYTES = 8L * 1024 * 1024;

    /** Number of these streams, chosen so that their bytes add less than 100 MiB. */
    private static final int FEW_STREAMS = 16;

    private final RequestAuthorisation authorisation;
    private final Tiers tiers;
    private final Heat heat;
    private final ServiceLimits limits;
    private final CallAdmission admission;
    private final Executor executor;
    private final SharedBudget prefetch;
    private final SharedBudget budget = new SharedBudget(ServiceLimits.LOADS_AHEAD, 0);
    private final Semaphore fast = new Semaphore(FAST_STREAMS);
    private final Semaphore few = new Semaphore(FEW_STREAMS);

    Reads(
            RequestAuthorisation authorisation,
            Tiers tiers,
            Heat heat,
            ServiceLimits limits,
            CallAdmission admission,
            Executor executor) {
        this.authorisation = authorisation;
        this.tiers = tiers;
        this.heat = heat;
        this.limits = limits;
        this.admission = admission;
        this.executor = executor;
        this.prefetch = new SharedBudget(limits.sharedPrefetchBytes(), 0);
    }

    /**
     * Waits until the account's limit allows the block, and counts its bytes.
     *
     * @return whether it waited
     */
    boolean pace(AccountUsage usage, int bytes, BandwidthGate.StreamPause pause)
            throws CallRefusal, InterruptedException {
        return BandwidthGate.keep(admission, usage, bytes, pause);
    }

    /** Refuses a block that would have to wait longer than {@link BandwidthGate#PATIENCE}. */
    void requireHope(AccountUsage usage) throws CallRefusal {
        Duration due = usage.due();
        if (due.compareTo(BandwidthGate.PATIENCE) > 0) {
            throw admission.spent(usage, due);
        }
    }

    /** The block; throws a refusal if there is none. */
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
        CallInput<StreamingReadRequest> input = CallInput.open(call, admission, executor);
        if (input == null) {
            return CallInput.deaf();
        }
        Prefetch ahead =
                new Prefetch(tiers, prefetch, budget, input.slot().party(), limits.streamPrefetchBytes(), input::wake);
        Outbox<StreamingReadResponse> outbox =
                new Outbox<>(call, input, outboxBytes(call, input), limits.stall(), StalledClientReset.ofCurrentCall());
        input.serve(new ReadStream(
                call, input, authorisation, Authentication.credential(), this, ahead, outbox, limits.stall()));
        return input;
    }

    private long outboxBytes(ServerCall<?, ?> call, CallInput<?> input) {
        if (!fast.tryAcquire()) {
            return 0;
        }
        input.whenClosed(fast::release);
        call.setOnReadyThreshold(TRANSPORT_BYTES);
        if (!few.tryAcquire()) {
            return OUTBOX_BYTES;
        }
        input.whenClosed(few::release);
        return FEW_OUTBOX_BYTES;
    }
}
