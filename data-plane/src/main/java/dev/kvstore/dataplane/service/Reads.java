package dev.kvstore.dataplane.service;

import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/** Read and StreamingRead. Thread-safe. */
final class Reads implements ServerCallHandler<Received<StreamingReadRequest>, StreamingReadResponse> {
    /**
     * What a stream may hand to the transport at a time, and what may lie there when it does: waking its thread costs as much
     * as sending a part, so it is woken for some four.
     */
    private static final int BURST_BYTES = 512 * 1024;

    /** What all streams may so have in the transport; those beyond send part by part, and have next to nothing there. */
    private static final long BURSTS_BYTES = 128L * BURST_BYTES;

    private final Grants grants;
    private final Presence presence;
    private final Tiers tiers;
    private final Limits limits;
    private final Operations operations;
    private final Executor executor;
    private final ByteBudget prefetch;
    private final ByteBudget bursts = new ByteBudget(BURSTS_BYTES);

    Reads(Grants grants, Presence presence, Tiers tiers, Limits limits, Operations operations, Executor executor) {
        this.grants = grants;
        this.presence = presence;
        this.tiers = tiers;
        this.limits = limits;
        this.operations = operations;
        this.executor = executor;
        this.prefetch = new ByteBudget(limits.sharedPrefetchBytes());
    }

    UnaryHandler.Answer<ReadResponse> answer(
            Credential credential, ReadRequest request, Operations.Place place, Runnable done) throws Exception {
        Location location = Grants.location(request.getLocation(), "location");
        Grants.Grant grant = grants.reading(credential, request.getResourceName(), location.root());
        place.join(grant.account());
        Share share = place.share(grant.account());
        Duration due = share.due();
        if (due.isPositive()) {
            throw operations.spent(share, due);
        }
        BlockKey key = grant.key(location);
        done.run();
        StoredBlock block = block(grant, key);
        share.charge(block.header().bufferBytes());
        PromptChunk.Builder chunk = PromptChunk.newBuilder()
                .setBuffer(UnsafeByteOperations.unsafeWrap(block.buffer()))
                .setHash(block.header().hash().toByteString())
                .setParentHash(block.header().parent().toByteString())
                .setExtra(UnsafeByteOperations.unsafeWrap(block.header().extra()))
                .setCrc32C(block.header().crc32c());
        for (int token : block.header().tokens().toArray()) {
            chunk.addTokens(token);
        }
        ReadResponse answer = ReadResponse.newBuilder().setChunk(chunk).build();
        return new UnaryHandler.Answer<>(() -> answer, block.memory().length(), block::release);
    }

    private StoredBlock block(Grants.Grant grant, BlockKey key) throws Refusal, InterruptedException {
        try {
            return found(tiers.get(grant.store(), key).get(), key);
        } catch (ExecutionException e) {
            throw Failures.refusal(e, grant.account().resourceName());
        }
    }

    /**
     * Waits until an account may move a block, and counts it.
     *
     * @return whether that took any time
     */
    boolean pace(Share share, int bytes, Pace.Pause pause) throws Refusal, InterruptedException {
        return Pace.keep(operations, share, bytes, pause);
    }

    /** Refuses what would have to wait for too long. */
    void requireHope(Share share) throws Refusal {
        Duration due = share.due();
        if (due.compareTo(Pace.PATIENCE) > 0) {
            throw operations.spent(share, due);
        }
    }

    /** The block, or why it cannot be had; what is believed of it is corrected. */
    StoredBlock found(Fetched fetched, BlockKey key) throws Refusal {
        return switch (fetched) {
            case Fetched.Found found -> {
                presence.found(key);
                yield found.block();
            }
            case Fetched.Absent _ -> {
                presence.missing(key);
                throw Refusal.notFound();
            }
            case Fetched.Damaged damaged -> {
                presence.missing(key);
                throw Refusal.damaged(damaged.reason());
            }
        };
    }

    @Override
    public ServerCall.Listener<Received<StreamingReadRequest>> startCall(
            ServerCall<Received<StreamingReadRequest>, StreamingReadResponse> call, Metadata headers) {
        Inbox<StreamingReadRequest> inbox = Inbox.open(call, operations, executor);
        if (inbox == null) {
            return Inbox.deaf();
        }
        Prefetch ahead = new Prefetch(tiers, prefetch, limits.streamPrefetchBytes(), inbox::wake);
        int burst = burst(call, inbox);
        PartSender sender = new PartSender(call, inbox, burst, limits.stall(), Stall.ofCurrentCall());
        inbox.serve(
                new ReadStream(call, inbox, grants, Authentication.credential(), this, ahead, sender, limits.stall()));
        return inbox;
    }

    private int burst(ServerCall<?, ?> call, Inbox<?> inbox) {
        if (!bursts.tryTake(2L * BURST_BYTES)) {
            return 0;
        }
        inbox.whenClosed(() -> bursts.giveBack(2L * BURST_BYTES));
        call.setOnReadyThreshold(BURST_BYTES);
        return BURST_BYTES;
    }
}
