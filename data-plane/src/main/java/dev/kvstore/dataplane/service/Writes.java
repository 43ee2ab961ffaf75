package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Write and StreamingWrite. Thread-safe. */
final class Writes implements ServerCallHandler<Received<StreamingWriteRequest>, StreamingWriteResponse> {
    private final Grants grants;
    private final BlockWriter writer;
    private final Limits limits;
    private final Operations operations;
    private final Executor executor;

    Writes(Grants grants, BlockWriter writer, Limits limits, Operations operations, Executor executor) {
        this.grants = grants;
        this.writer = writer;
        this.limits = limits;
        this.operations = operations;
        this.executor = executor;
    }

    UnaryHandler.Answer<WriteResponse> answer(
            Credential credential, WriteRequest request, Operations.Place place, Runnable done) throws Exception {
        Grants.Grant grant = grants.grant(credential, request.getResourceName());
        Partition partition = grants.partition(request.getPartition(), request.getBlockTokens());
        grant.require(Access.WRITE, partition);
        PromptChunk chunk = request.getChunk();
        ByteString buffer = chunk.getBuffer();
        place.join(grant.account());
        Share share = place.share(grant.account());
        Duration due = share.take(buffer.size());
        if (due.isPositive()) {
            throw operations.spent(share, due);
        }
        BlockWriter.Claim claim = new BlockWriter.Claim(
                chunk.getTokensList(), chunk.getExtra(), chunk.getHash(), chunk.getParentHash(), buffer.size());
        if (!chunk.hasCrc32C()) {
            throw Refusal.invalid("chunk.crc32c", "is missing; send the CRC32C of buffer");
        }
        Draft draft = writer.open(grant, partition, claim, BlockWriter.Fields.OF_CHUNK);
        try {
            draft.append(buffer.asReadOnlyByteBufferList(), buffer.size(), chunk.getCrc32C());
            done.run();
            return UnaryHandler.Answer.of(writer.store(draft));
        } catch (StorageException e) {
            throw Failures.refusal(e, request.getResourceName());
        } finally {
            draft.release();
        }
    }

    @Override
    public ServerCall.Listener<Received<StreamingWriteRequest>> startCall(
            ServerCall<Received<StreamingWriteRequest>, StreamingWriteResponse> call, Metadata headers) {
        Inbox<StreamingWriteRequest> inbox = Inbox.open(call, operations, executor);
        if (inbox == null) {
            return Inbox.deaf();
        }
        WriteResults results = new WriteResults(call, inbox, writer, executor, limits.stall(), Stall.ofCurrentCall());
        PartReceiver receiver =
                new PartReceiver(grants, Authentication.credential(), writer, results, operations, inbox);
        inbox.serve(new WriteStream(call, inbox, receiver, results, limits.stall()));
        return inbox;
    }
}
