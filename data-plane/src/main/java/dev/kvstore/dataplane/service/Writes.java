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
    private final RequestAuthorisation grants;
    private final BlockIngest writer;
    private final ServiceLimits limits;
    private final CallAdmission operations;
    private final Executor executor;

    Writes(
            RequestAuthorisation grants,
            BlockIngest writer,
            ServiceLimits limits,
            CallAdmission operations,
            Executor executor) {
        this.grants = grants;
        this.writer = writer;
        this.limits = limits;
        this.operations = operations;
        this.executor = executor;
    }

    UnaryHandler.UnaryResponse<WriteResponse> answer(
            Credential credential, WriteRequest request, CallAdmission.CallSlot place, Runnable done) throws Exception {
        RequestAuthorisation.AuthorisedAccount grant = grants.grant(credential, request.getResourceName());
        Partition partition = grants.partition(request.getPartition(), request.getBlockTokens());
        grant.require(Access.WRITE, partition);
        PromptChunk chunk = request.getChunk();
        ByteString buffer = chunk.getBuffer();
        place.join(grant.account());
        AccountUsage share = place.share(grant.account());
        Duration due = share.take(buffer.size());
        if (due.isPositive()) {
            throw operations.spent(share, due);
        }
        BlockIngest.DeclaredBlock claim = new BlockIngest.DeclaredBlock(
                chunk.getTokensList(), chunk.getExtra(), chunk.getHash(), chunk.getParentHash(), buffer.size());
        if (!chunk.hasCrc32C()) {
            throw CallRefusal.invalid("chunk.crc32c", "is missing; send the CRC32C of buffer");
        }
        IncomingBlock draft = writer.open(grant, partition, claim, BlockIngest.FieldNames.OF_CHUNK);
        try {
            draft.append(buffer.asReadOnlyByteBufferList(), buffer.size(), chunk.getCrc32C());
            done.run();
            return UnaryHandler.UnaryResponse.of(writer.store(draft));
        } catch (StorageException e) {
            throw CallFailures.refusal(e, request.getResourceName());
        } finally {
            draft.release();
        }
    }

    @Override
    public ServerCall.Listener<Received<StreamingWriteRequest>> startCall(
            ServerCall<Received<StreamingWriteRequest>, StreamingWriteResponse> call, Metadata headers) {
        CallInput<StreamingWriteRequest> inbox = CallInput.open(call, operations, executor);
        if (inbox == null) {
            return CallInput.deaf();
        }
        WriteResults results =
                new WriteResults(call, inbox, writer, executor, limits.stall(), StalledClientReset.ofCurrentCall());
        PartReceiver receiver =
                new PartReceiver(grants, Authentication.credential(), writer, results, operations, inbox);
        inbox.serve(new WriteStream(call, inbox, receiver, results, limits.stall()));
        return inbox;
    }
}
