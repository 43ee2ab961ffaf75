package dev.kvstore.dataplane.service;

import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.wire.Lending;
import dev.kvstore.dataplane.wire.ZeroCopyMessage;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.wire.WireNames;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Read: one block. Thread-safe. */
final class SingleRead implements UnaryHandler.UnaryWork<ReadRequest, ZeroCopyMessage<ReadResponse>> {
    private final RequestAuthorisation grants;
    private final Tiers tiers;
    private final Reads reads;
    private final CallAdmission operations;

    SingleRead(RequestAuthorisation grants, Tiers tiers, Reads reads, CallAdmission operations) {
        this.grants = grants;
        this.tiers = tiers;
        this.reads = reads;
        this.operations = operations;
    }

    @Override
    public UnaryHandler.UnaryResponse<ZeroCopyMessage<ReadResponse>> answer(
            Credential credential, ReadRequest request, CallAdmission.CallSlot place, Runnable done) throws Exception {
        Location location = RequestAuthorisation.location(request.getLocation(), "location");
        BlockFilter filter = filter(request);
        RequestAuthorisation.AuthorisedAccount grant =
                grants.reading(credential, request.getResourceName(), location.root());
        place.join(grant.account());
        AccountUsage share = place.share(grant.account());
        Duration due = share.due();
        if (due.isPositive()) {
            throw operations.spent(share, due);
        }
        BlockKey key = grant.key(location);
        done.run();
        StoredBlock block = block(grant, key, place);
        share.charge(block.header().bufferBytes());
        return answer(grant, key, filter.require(block));
    }

    /** Answers at once with a block that is in memory, for a caller that may read the whole resource. */
    @Override
    public UnaryHandler.@Nullable UnaryResponse<ZeroCopyMessage<ReadResponse>> answerAtOnce(
            Credential credential, ReadRequest request, CallAdmission.CallSlot place) throws CallRefusal {
        Location location = RequestAuthorisation.location(request.getLocation(), "location");
        BlockFilter filter = filter(request);
        RequestAuthorisation.AuthorisedAccount grant = grants.readingAll(credential, request.getResourceName());
        if (grant == null) {
            return null;
        }
        AccountUsage share = place.share(grant.account());
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
        return answer(grant, key, filter.require(block));
    }

    private static BlockFilter filter(ReadRequest request) throws CallRefusal {
        return new BlockFilter(
                WriterFilter.of(request.getWritersList()), BlockFilter.length(request.getExpectedBytes()));
    }

    private UnaryHandler.UnaryResponse<ZeroCopyMessage<ReadResponse>> answer(
            RequestAuthorisation.AuthorisedAccount grant, BlockKey key, StoredBlock block) {
        reads.served(grant.account(), key, block);
        int bytes = block.memory().length();
        ZeroCopyMessage<ReadResponse> answer = message(block);
        return new UnaryHandler.UnaryResponse<>(() -> answer, bytes, answer::release);
    }

    /** Takes the block's reference. */
    private static ZeroCopyMessage<ReadResponse> message(StoredBlock block) {
        PromptChunk.Builder chunk = PromptChunk.newBuilder()
                .setHash(WireNames.field(block.header().hash()))
                .setParentHash(WireNames.field(block.header().parent()))
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

    private StoredBlock block(RequestAuthorisation.AuthorisedAccount grant, BlockKey key, CallAdmission.CallSlot place)
            throws CallRefusal, InterruptedException {
        CompletableFuture<Fetched> load = tiers.get(grant.origin(), key);
        if (!load.isDone()) {
            place.whenClosed(() -> load.cancel(false));
        }
        try {
            return Reads.found(load.get());
        } catch (CancellationException e) {
            throw CallRefusal.of(Code.CANCELLED, "the client has left");
        } catch (ExecutionException e) {
            throw CallFailures.refusal(e, grant.account().resourceName());
        }
    }
}
