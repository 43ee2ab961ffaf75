package dev.kvstore.dataplane.service;

import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Status;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import io.grpc.ServerCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends blocks in parts: big ones in several messages, small ones many to a message. Little is handed to the transport
 * before it is ready for more, so that a slow reader's blocks wait here and not in its buffers. A message is no longer
 * than a part and one block's head. For one thread.
 */
final class PartSender {
    /** A part without its head and bytes, at most: tags, lengths, index, offset, checksum. */
    private static final int PART_BYTES = 48;

    /** A head without tokens and extra, at most. */
    private static final int HEAD_BYTES = 128;

    private final ServerCall<?, StreamingReadResponse> call;
    private final Inbox<?> inbox;
    private final int burstBytes;
    private final Duration patience;
    private final Stall stall;
    private final List<StoredBlock> unsent = new ArrayList<>();
    private StreamingReadResponse.Builder message = StreamingReadResponse.newBuilder();
    private long messageBytes;
    private long unaskedBytes;

    /** @param burstBytes what it may send before it asks whether the transport is ready for more, at least a message */
    PartSender(
            ServerCall<?, StreamingReadResponse> call, Inbox<?> inbox, int burstBytes, Duration patience, Stall stall) {
        this.call = call;
        this.inbox = inbox;
        this.burstBytes = burstBytes;
        this.unaskedBytes = burstBytes;
        this.patience = patience;
        this.stall = stall;
    }

    /** Sends a block, whose reference passes to this sender. False when the client has left or was cut off. */
    boolean send(int index, StoredBlock block, int partBytes) throws InterruptedException {
        unsent.add(block);
        int length = block.header().bufferBytes();
        for (int offset = 0; offset < length; offset += partBytes) {
            int size = Math.min(partBytes, length - offset);
            long cost = size + PART_BYTES + (offset == 0 ? headBytes(block.header()) : 0);
            if (messageBytes > 0 && messageBytes + cost > partBytes && !flush(block)) {
                return false;
            }
            message.addParts(part(index, block, offset, size));
            messageBytes += cost;
        }
        return messageBytes < partBytes || flush(null);
    }

    /** Sends word that a block cannot be had. */
    boolean send(int index, Status status) throws InterruptedException {
        message.addParts(ReadPart.newBuilder().setIndex(index).setLast(true).setStatus(status));
        messageBytes += status.getSerializedSize();
        return messageBytes < BlockHeader.SEGMENT_BYTES || flush(null);
    }

    private static long headBytes(BlockHeader header) {
        return HEAD_BYTES
                + (long) header.tokens().size() * Integer.BYTES
                + header.extra().remaining();
    }

    private static ReadPart.Builder part(int index, StoredBlock block, int offset, int size) {
        ByteBuffer bytes = block.buffer(offset, size);
        ReadPart.Builder part = ReadPart.newBuilder()
                .setIndex(index)
                .setOffset(offset)
                .setLast(offset + size == block.header().bufferBytes())
                .setBytes(UnsafeByteOperations.unsafeWrap(bytes))
                .setCrc32C(crc32c(block.header(), bytes, offset, size));
        if (offset == 0) {
            part.setHead(head(block.header()));
        }
        return part;
    }

    /** Whole segments carry the checksums they were stored with, so that nothing in between can hide damage. */
    private static int crc32c(BlockHeader header, ByteBuffer bytes, int offset, int size) {
        boolean wholeSegments = offset % BlockHeader.SEGMENT_BYTES == 0
                && (size % BlockHeader.SEGMENT_BYTES == 0 || offset + size == header.bufferBytes());
        return wholeSegments
                ? header.crc32c(offset / BlockHeader.SEGMENT_BYTES, BlockHeader.segments(size))
                : Crc32c.of(bytes);
    }

    private static BlockHead head(BlockHeader header) {
        BlockHead.Builder head = BlockHead.newBuilder()
                .setHash(header.hash().toByteString())
                .setParentHash(header.parent().toByteString())
                .setExtra(UnsafeByteOperations.unsafeWrap(header.extra()))
                .setBufferBytes(header.bufferBytes())
                .setCrc32C(header.crc32c());
        for (int token : header.tokens().toArray()) {
            head.addTokens(token);
        }
        return head.build();
    }

    /** Sends what has gathered. False when the client has left or was cut off. */
    boolean flush() throws InterruptedException {
        return flush(null);
    }

    private boolean flush(@Nullable StoredBlock unfinished) throws InterruptedException {
        if (message.getPartsCount() == 0) {
            return true;
        }
        if (unaskedBytes >= burstBytes) {
            if (!inbox.awaitReady(patience)) {
                stall.cancel(patience);
                return false;
            }
            unaskedBytes = 0;
        }
        if (inbox.isCancelled()) {
            return false;
        }
        call.sendMessage(message.build());
        unaskedBytes += messageBytes;
        message = StreamingReadResponse.newBuilder();
        messageBytes = 0;
        release(unfinished);
        return true;
    }

    /** The transport has its copy of everything but the block whose parts go on. */
    private void release(@Nullable StoredBlock unfinished) {
        for (StoredBlock block : unsent) {
            if (!block.equals(unfinished)) {
                block.release();
            }
        }
        unsent.clear();
        if (unfinished != null) {
            unsent.add(unfinished);
        }
    }

    /** Gives back what will not be sent. */
    void clear() {
        message = StreamingReadResponse.newBuilder();
        release(null);
    }
}
