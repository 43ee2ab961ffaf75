package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.call.BandwidthGate;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallInput;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.wire.PartSizes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Joins the parts of one stream into blocks. A block that breaks a rule is refused, and the rest of its parts is
 * skipped. Parts that cannot be assigned to a block end the stream. For one thread.
 */
final class PartReceiver {
    private final RequestAuthorisation authorisation;
    private final Credential credential;
    private final BlockIngest ingest;
    private final WriteResults results;
    private final CallAdmission admission;
    private final CallInput<?> input;
    private String resourceName = "";
    private @Nullable String granted;
    private String partition = "";
    private int blockTokens;
    private @Nullable IncomingBlock incoming;
    private boolean skipping;
    private long waitedNanos;
    private int index;

    PartReceiver(
            RequestAuthorisation authorisation,
            Credential credential,
            BlockIngest ingest,
            WriteResults results,
            CallAdmission admission,
            CallInput<?> input) {
        this.authorisation = authorisation;
        this.credential = credential;
        this.ingest = ingest;
        this.results = results;
        this.admission = admission;
        this.input = input;
    }

    /**
     * How much longer the begun block may take to arrive; null if none has begun. Its memory is reserved, so a client
     * may not send it more slowly than 1 MiB a second after {@code grace}.
     */
    @Nullable
    Duration blockWithin(Duration grace) {
        if (incoming == null && !skipping) {
            return null;
        }
        long mebibytes = incoming == null ? 0 : incoming.bufferBytes() >> 20;
        return grace.plusSeconds(mebibytes).minusNanos(waitedNanos);
    }

    /** Counts time in which this side waited for the client. */
    void waited(long nanos) {
        waitedNanos += nanos;
    }

    /**
     * Receives one message.
     *
     * @throws CallRefusal if the stream must end
     */
    void receive(StreamingWriteRequest request) throws CallRefusal, InterruptedException {
        if (!request.getResourceName().isEmpty()) {
            resourceName = request.getResourceName();
        }
        if (!request.getPartition().isEmpty()) {
            partition = request.getPartition();
        }
        if (request.getBlockTokens() != 0) {
            blockTokens = request.getBlockTokens();
        }
        if (!resourceName.equals(granted)) {
            input.slot().join(authorisation.grant(credential, resourceName).account());
            granted = resourceName;
        }
        Partition blocksOf = authorisation.partition(partition, blockTokens);
        if (request.getPartsCount() > ServiceLimits.MESSAGE_PARTS) {
            throw CallRefusal.invalid(
                    "parts", request.getPartsCount() + " in one message are more than " + ServiceLimits.MESSAGE_PARTS);
        }
        for (WritePart part : request.getPartsList()) {
            if (incoming == null && !skipping) {
                waitedNanos = 0;
            }
            if (part.getIndex() != index) {
                throw CallRefusal.invalid(
                        "parts.index",
                        Integer.toUnsignedString(part.getIndex()) + " is out of order; the block at hand is " + index);
            }
            try {
                receive(part, blocksOf);
            } catch (CallRefusal refusal) {
                if (refusal.isOfCaller()) {
                    throw refusal;
                }
                giveUp(refusal);
            } catch (MemoryExhaustedException e) {
                giveUp(CallRefusal.of(e));
            }
            if (part.getLast()) {
                index++;
                skipping = false;
            }
        }
    }

    private void receive(WritePart part, Partition blocksOf)
            throws CallRefusal, MemoryExhaustedException, InterruptedException {
        if (skipping) {
            return;
        }
        IncomingBlock open = incoming;
        if (open == null) {
            open = begin(part, blocksOf);
            incoming = open;
        }
        append(open, part);
        if (part.getLast()) {
            // The rights are checked again, since the block's parts may have come slowly.
            var _ = writing(open.grant().account().resourceName(), open.partition());
            incoming = null;
            results.store(index, open);
        }
    }

    private IncomingBlock begin(WritePart part, Partition blocksOf)
            throws CallRefusal, MemoryExhaustedException, InterruptedException {
        RequestAuthorisation.AuthorisedAccount authorisedAccount = writing(resourceName, blocksOf);
        if (!part.hasHead()) {
            throw CallRefusal.invalid("parts.head", "is missing in the block's first part");
        }
        BlockHead head = part.getHead();
        BlockIngest.DeclaredBlock declared = new BlockIngest.DeclaredBlock(
                head.getTokensList(), head.getExtra(), head.getHash(), head.getParentHash(), head.getBufferBytes());
        // A length that no block can have is refused when the block is opened.
        long bytes = Math.clamp(head.getBufferBytes(), 0, BlockHeader.MAX_BUFFER_BYTES);
        boolean _ = BandwidthGate.keep(admission, input.slot().share(authorisedAccount.account()), bytes, this::pause);
        IncomingBlock begun = ingest.open(authorisedAccount, blocksOf, declared, BlockIngest.FieldNames.OF_PART);
        if (head.hasCrc32C()) {
            begun.expect(head.getCrc32C());
        }
        return begun;
    }

    /**
     * Waits for the account's limit. Meanwhile results of other blocks are sent, and blocks that are being stored keep
     * the slot.
     */
    private void pause(Duration time) throws CallRefusal, InterruptedException {
        boolean here = results.send();
        if (here && results.isEmpty()) {
            input.awaitTurn(time);
        } else if (here) {
            boolean _ = input.await(time);
        }
        CallRefusal closingRefusal = input.closing();
        if (closingRefusal != null) {
            throw closingRefusal;
        }
        if (!here || input.isCancelled()) {
            throw CallRefusal.of(Code.CANCELLED, "the client has left");
        }
    }

    private RequestAuthorisation.AuthorisedAccount writing(String resource, Partition blocksOf) throws CallRefusal {
        RequestAuthorisation.AuthorisedAccount authorisedAccount = authorisation.grant(credential, resource);
        authorisedAccount.require(Access.WRITE, blocksOf);
        return authorisedAccount;
    }

    private static void append(IncomingBlock open, WritePart part) throws CallRefusal {
        ByteString bytes = part.getBytes();
        if (part.getOffset() != open.taken()) {
            throw CallRefusal.invalid(
                    "parts.offset",
                    Long.toUnsignedString(part.getOffset()) + " does not follow the " + open.taken()
                            + " bytes before it");
        }
        if (bytes.isEmpty() || bytes.size() > PartSizes.MAX_BYTES) {
            throw CallRefusal.invalid(
                    "parts.bytes", "must be 1 to " + PartSizes.MAX_BYTES + " bytes, not " + bytes.size());
        }
        int end = open.taken() + bytes.size();
        if (end > open.bufferBytes() || part.getLast() != (end == open.bufferBytes())) {
            throw CallRefusal.invalid(
                    "parts.bytes",
                    "the parts so far have " + end + " bytes" + (part.getLast() ? " with the last one" : "")
                            + ", head.buffer_bytes is " + open.bufferBytes());
        }
        if (!part.hasCrc32C()) {
            throw CallRefusal.invalid("parts.crc32c", "is missing; send the CRC32C of bytes");
        }
        open.append(bytes.asReadOnlyByteBufferList(), bytes.size(), part.getCrc32C());
    }

    private void giveUp(CallRefusal refusal) {
        release();
        skipping = true;
        results.refuse(index, refusal);
    }

    /** Refuses the begun block, which will not be completed; false if there is none. */
    boolean abandon(CallRefusal refusal) {
        if (incoming == null) {
            return false;
        }
        giveUp(refusal);
        return true;
    }

    /** Gives back the memory of the begun block. */
    void release() {
        IncomingBlock open = incoming;
        incoming = null;
        if (open != null) {
            open.release();
        }
    }
}
