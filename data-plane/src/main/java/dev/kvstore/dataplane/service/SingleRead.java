package dev.kvstore.dataplane.service;

import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.AccountUsage;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.UnaryHandler;
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

/** Serves Read: one block. Thread-safe. */
final class SingleRead implements UnaryHandler.UnaryWork<ReadRequest, ZeroCopyMessage<ReadResponse>> {
    private final RequestAuthorisation authorisation;
    private final Tiers tiers;
    private final Reads reads;
    private final CallAdmission admission;

    SingleRead(RequestAuthorisation authorisation, Tiers tiers, Reads reads, CallAdmission admission) {
        this.authorisation = authorisation;
        this.tiers = tiers;
        this.reads = reads;
        this.admission = admission;
    }

    @Override
    public UnaryHandler.UnaryResponse<ZeroCopyMessage<ReadResponse>> answer(
            Credential credential, ReadRequest request, CallAdmission.CallSlot slot, Runnable done) throws Exception {
        Location location = RequestAuthorisation.location(request.getLocation(), "location");
        BlockFilter filter = filter(request);
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.reading(credential, request.getResourceName(), location.root());
        slot.join(authorisedAccount.account());
        AccountUsage usage = slot.share(authorisedAccount.account());
        Duration due = usage.due();
        if (due.isPositive()) {
            throw admission.spent(usage, due);
        }
        BlockKey key = authorisedAccount.key(location);
        done.run();
        StoredBlock block = block(authorisedAccount, key, slot);
        usage.charge(block.header().bufferBytes());
        return answer(authorisedAccount, key, filter.require(block));
    }

    /** Answers at once with a block that is in memory, for a caller that may read the whole resource. */
    @Override
    public UnaryHandler.@Nullable UnaryResponse<ZeroCopyMessage<ReadResponse>> answerAtOnce(
            Credential credential, ReadRequest request, CallAdmission.CallSlot slot) throws CallRefusal {
        Location location = RequestAuthorisation.location(request.getLocation(), "location");
        BlockFilter filter = filter(request);
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.readingAll(credential, request.getResourceName());
        if (authorisedAccount == null) {
            return null;
        }
        AccountUsage usage = slot.share(authorisedAccount.account());
        BlockKey key = authorisedAccount.key(location);
        StoredBlock block = usage.due().isPositive() ? null : tiers.resident(key);
        if (block == null) {
            return null;
        }
        boolean joined = false;
        try {
            slot.join(authorisedAccount.account());
            joined = true;
        } finally {
            if (!joined) {
                block.release();
            }
        }
        usage.charge(block.header().bufferBytes());
        return answer(authorisedAccount, key, filter.require(block));
    }

    private static BlockFilter filter(ReadRequest request) throws CallRefusal {
        return new BlockFilter(
                WriterFilter.of(request.getWritersList()), BlockFilter.length(request.getExpectedBytes()));
    }

    private UnaryHandler.UnaryResponse<ZeroCopyMessage<ReadResponse>> answer(
            RequestAuthorisation.AuthorisedAccount authorisedAccount, BlockKey key, StoredBlock block) {
        reads.served(authorisedAccount.account(), key, block);
        int bytes = block.memory().length();
        ZeroCopyMessage<ReadResponse> zeroCopyMessage = message(block);
        return new UnaryHandler.UnaryResponse<>(() -> zeroCopyMessage, bytes, zeroCopyMessage::release);
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

    private StoredBlock block(
            RequestAuthorisation.AuthorisedAccount authorisedAccount, BlockKey key, CallAdmission.CallSlot slot)
            throws CallRefusal, InterruptedException {
        CompletableFuture<Fetched> load = tiers.get(authorisedAccount.origin(), key);
        if (!load.isDone()) {
            slot.whenClosed(() -> load.cancel(false));
        }
        try {
            return Reads.found(load.get());
        } catch (CancellationException e) {
            throw CallRefusal.of(Code.CANCELLED, "the client has left");
        } catch (ExecutionException e) {
            throw CallFailures.refusal(e, authorisedAccount.account().resourceName());
        }
    }
}
