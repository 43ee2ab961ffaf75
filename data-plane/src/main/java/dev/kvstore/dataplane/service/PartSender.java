package dev.kvstore.dataplane.service;

import com.google.rpc.Status;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.Outbox;
import dev.kvstore.dataplane.wire.Lending;
import dev.kvstore.dataplane.wire.ZeroCopyMessage;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import java.nio.ByteBuffer;

/**
 * Sends blocks in parts: big ones in several messages, small ones many to a message, each no longer than a part and one
 * block's head. A message holds its blocks until the transport has sent it. For one thread.
 */
final class PartSender {
    /** Most bytes around a part and its bytes: two tags, two lengths. */
    private static final int AROUND_BYTES = 12;

    private final Outbox<StreamingReadResponse> outbox;
    private Lending<StreamingReadResponse> message = new Lending<>();
    private long messageBytes;
    private long messages;

    PartSender(Outbox<StreamingReadResponse> outbox) {
        this.outbox = outbox;
    }

    /** Sends a block, and takes over its reference. False if the client has left or its stream was reset. */
    boolean send(int index, StoredBlock block, int partBytes) throws InterruptedException {
        try {
            int length = block.header().bufferBytes();
            for (int offset = 0; offset < length; offset += partBytes) {
                int size = Math.min(partBytes, length - offset);
                ByteBuffer bytes = block.buffer(offset, size);
                WirePart part = part(index, block.header(), offset, bytes);
                long cost = (long) AROUND_BYTES + part.wireBytes() + size;
                if (messageBytes > 0 && messageBytes + cost > partBytes && !flush()) {
                    return false;
                }
                block.retain();
                message.add(
                        StreamingReadResponse.PARTS_FIELD_NUMBER,
                        part,
                        ReadPart.BYTES_FIELD_NUMBER,
                        bytes,
                        block::release);
                messageBytes += cost;
            }
        } finally {
            block.release();
        }
        return messageBytes < partBytes || flush();
    }

    /** Sends the status of a block that cannot be read. */
    boolean send(int index, Status status) throws InterruptedException {
        message.add(
                StreamingReadResponse.PARTS_FIELD_NUMBER,
                ReadPart.newBuilder()
                        .setIndex(index)
                        .setLast(true)
                        .setStatus(status)
                        .build());
        messageBytes += status.getSerializedSize();
        return messageBytes < BlockHeader.SEGMENT_BYTES || flush();
    }

    private static WirePart part(int index, BlockHeader header, int offset, ByteBuffer bytes) {
        int size = bytes.remaining();
        return new WirePart(
                index,
                offset,
                offset + size == header.bufferBytes(),
                crc32c(header, bytes, offset, size),
                offset == 0 ? WirePart.Head.of(header) : null);
    }

    /** Whole segments are sent with the checksums that were stored with them, so that no later step can hide damage. */
    private static int crc32c(BlockHeader header, ByteBuffer bytes, int offset, int size) {
        boolean wholeSegments = offset % BlockHeader.SEGMENT_BYTES == 0
                && (size % BlockHeader.SEGMENT_BYTES == 0 || offset + size == header.bufferBytes());
        return wholeSegments
                ? header.crc32c(offset / BlockHeader.SEGMENT_BYTES, BlockHeader.segments(size))
                : Crc32c.of(bytes);
    }

    /** Sends the parts that wait. False if the client has left or its stream was reset. */
    boolean flush() throws InterruptedException {
        if (message.isEmpty()) {
            return true;
        }
        ZeroCopyMessage<StreamingReadResponse> gathered = message.make();
        messages++;
        begin();
        return outbox.put(gathered);
    }

    /** Messages sent so far. */
    long messages() {
        return messages;
    }

    private void begin() {
        message = new Lending<>();
        messageBytes = 0;
    }

    /** Gives back blocks that will not be sent. */
    void clear() {
        message.clear();
        begin();
    }
}
