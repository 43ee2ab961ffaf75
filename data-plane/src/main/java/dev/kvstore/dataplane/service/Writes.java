package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.call.AccountUsage;
import dev.kvstore.dataplane.call.Authentication;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallInput;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.StalledClientReset;
import dev.kvstore.dataplane.call.UnaryHandler;
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

/** Serves Write and StreamingWrite. Thread-safe. */
final class Writes implements ServerCallHandler<Received<StreamingWriteRequest>, StreamingWriteResponse> {
    private final RequestAuthorisation authorisation;
    private final BlockIngest ingest;
    private final ServiceLimits limits;
    private final CallAdmission admission;
    private final Executor executor;

    Writes(
            RequestAuthorisation authorisation,
            BlockIngest ingest,
            ServiceLimits limits,
            CallAdmission admission,
            Executor executor) {
        this.authorisation = authorisation;
        this.ingest = ingest;
        this.limits = limits;
        this.admission = admission;
        this.executor = executor;
    }

    UnaryHandler.UnaryResponse<WriteResponse> answer(
            Credential credential, WriteRequest request, CallAdmission.CallSlot slot, Runnable done) throws Exception {
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.grant(credential, request.getResourceName());
        Partition partition = authorisation.partition(request.getPartition(), request.getBlockTokens());
        authorisedAccount.require(Access.WRITE, partition);
        PromptChunk chunk = request.getChunk();
        ByteString buffer = chunk.getBuffer();
        slot.join(authorisedAccount.account());
        AccountUsage usage = slot.share(authorisedAccount.account());
        Duration due = usage.take(buffer.size());
        if (due.isPositive()) {
            throw admission.spent(usage, due);
        }
        BlockIngest.DeclaredBlock declared = new BlockIngest.DeclaredBlock(
                chunk.getTokensList(), chunk.getExtra(), chunk.getHash(), chunk.getParentHash(), buffer.size());
        if (!chunk.hasCrc32C()) {
            throw CallRefusal.invalid("chunk.crc32c", "is missing; send the CRC32C of buffer");
        }
        IncomingBlock incoming = ingest.open(authorisedAccount, partition, declared, BlockIngest.FieldNames.OF_CHUNK);
        try {
            incoming.append(buffer.asReadOnlyByteBufferList(), buffer.size(), chunk.getCrc32C());
            done.run();
            return UnaryHandler.UnaryResponse.of(ingest.store(incoming));
        } catch (StorageException e) {
            throw CallFailures.refusal(e, request.getResourceName());
        } finally {
            incoming.release();
        }
    }

    @Override
    public ServerCall.Listener<Received<StreamingWriteRequest>> startCall(
            ServerCall<Received<StreamingWriteRequest>, StreamingWriteResponse> call, Metadata headers) {
        CallInput<StreamingWriteRequest> input = CallInput.open(call, admission, executor);
        if (input == null) {
            return CallInput.deaf();
        }
        WriteResults results =
                new WriteResults(call, input, ingest, executor, limits.stall(), StalledClientReset.ofCurrentCall());
        PartReceiver receiver =
                new PartReceiver(authorisation, Authentication.credential(), ingest, results, admission, input);
        input.serve(new WriteStream(call, input, receiver, results, limits.stall()));
        return input;
    }
}
