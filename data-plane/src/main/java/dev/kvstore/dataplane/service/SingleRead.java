package dev.kvstore.dataplane.service;

import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.wire.Lending;
import dev.kvstore.dataplane.wire.Lent;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Read: one block. Thread-safe. */
final class SingleRead implements UnaryHandler.Work<ReadRequest, Lent<ReadResponse>> {
    private final Grants grants;
    private final Tiers tiers;
    private final Reads reads;
    private final Operations operations;

    SingleRead(Grants grants, Tiers tiers, Reads reads, Operations operations) {
        this.grants = grants;
        this.tiers = tiers;
        this.reads = reads;
        this.operations = operations;
    }

    @Override
    public UnaryHandler.Answer<Lent<ReadResponse>> answer(
            Credential credential, ReadRequest request, Operations.Place place, Runnable done) throws Exception {
        Location location = Grants.location(request.getLocation(), "location");
        Writers writers = Writers.of(request.getWritersList());
        Grants.Grant grant = grants.reading(credential, request.getResourceName(), location.root());
        place.join(grant.account());
        Share share = place.share(grant.account());
        Duration due = share.due();
        if (due.isPositive()) {
            throw operations.spent(share, due);
        }
        BlockKey key = grant.key(location);
        done.run();
        StoredBlock block = block(grant, key, place);
        share.charge(block.header().bufferBytes());
        return answer(grant, key, writers.require(block));
    }

    /** Answers at once with a block that is in memory, for a caller that may read the whole resource. */
    @Override
    public UnaryHandler.@Nullable Answer<Lent<ReadResponse>> answerAtOnce(
            Credential credential, ReadRequest request, Operations.Place place) throws Refusal {
        Location location = Grants.location(request.getLocation(), "location");
        Writers writers = Writers.of(request.getWritersList());
        Grants.Grant grant = grants.readingAll(credential, request.getResourceName());
        if (grant == null) {
            return null;
        }
        Share share = place.share(grant.account());
        BlockKey key = grant.key(location);
        StoredBlock block = share.due().isPositive() ? null : tiers.resident(key);
        if (block == null) {
            return null;
        }
        boolean joined = false;
        try {
            place.join(grant.account());
            joined = true;
        } finally {
            if (!joined) {
                block.release();
            }
        }
        share.charge(block.header().bufferBytes());
        return answer(grant, key, writers.require(block));
    }

    private UnaryHandler.Answer<Lent<ReadResponse>> answer(Grants.Grant grant, BlockKey key, StoredBlock block) {
        reads.served(grant.account(), key, block);
        int bytes = block.memory().length();
        Lent<ReadResponse> answer = message(block);
        return new UnaryHandler.Answer<>(() -> answer, bytes, answer::release);
    }

    /** Takes the block's reference. */
    private static Lent<ReadResponse> message(StoredBlock block) {
        PromptChunk.Builder chunk = PromptChunk.newBuilder()
                .setHash(block.header().hash().toByteString())
                .setParentHash(block.header().parent().toByteString())
                .setExtra(UnsafeByteOperations.unsafeWrap(block.header().extra()))
                .setCrc32C(block.header().crc32c())
                .setWriterBytes(UnsafeByteOperations.unsafeWrap(block.header().keyIdBytes()));
        for (int token : block.header().tokens().toArray()) {
            chunk.addTokens(token);
        }
        Lending<ReadResponse> message = new Lending<>();
        message.add(
                ReadResponse.CHUNK_FIELD_NUMBER,
                chunk.build(),
                PromptChunk.BUFFER_FIELD_NUMBER,
                block.buffer(),
                block::release);
        return message.make();
    }

    private StoredBlock block(Grants.Grant grant, BlockKey key, Operations.Place place)
            throws Refusal, InterruptedException {
        CompletableFuture<Fetched> load = tiers.get(grant.origin(), key);
        if (!load.isDone()) {
            place.whenClosed(() -> load.cancel(false));
        }
        try {
            return Reads.found(load.get());
        } catch (CancellationException e) {
            throw Refusal.of(Code.CANCELLED, "the client has left");
        } catch (ExecutionException e) {
            throw Failures.refusal(e, grant.account().resourceName());
        }
    }
}
