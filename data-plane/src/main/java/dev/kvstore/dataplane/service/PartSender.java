package dev.kvstore.dataplane.service;

import com.google.rpc.Status;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.wire.Lending;
import dev.kvstore.dataplane.wire.Lent;
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
    /** A part without its head and bytes, at most: tags, lengths, index, offset, checksum. */
    private static final int PART_BYTES = 48;

    /** A head without tokens and extra, at most. */
    private static final int HEAD_BYTES = 128;

    private final Outbox<StreamingReadResponse> outbox;
    private Lending<StreamingReadResponse> message = new Lending<>();
    private long messageBytes;
    private long messages;

    PartSender(Outbox<StreamingReadResponse> outbox) {
        this.outbox = outbox;
    }

    /** Sends a block, whose reference passes to this sender. False when the client has left or was cut off. */
    boolean send(int index, StoredBlock block, int partBytes) throws InterruptedException {
        try {
            int length = block.header().bufferBytes();
            for (int offset = 0; offset < length; offset += partBytes) {
                int size = Math.min(partBytes, length - offset);
                long cost = size + PART_BYTES + (offset == 0 ? headBytes(block.header()) : 0);
                if (messageBytes > 0 && messageBytes + cost > partBytes && !flush()) {
                    return false;
                }
                add(index, block, offset, size);
                messageBytes += cost;
            }
        } finally {
            block.release();
        }
        return messageBytes < partBytes || flush();
    }

    /** Sends word that a block cannot be had. */
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

    private static long headBytes(BlockHeader header) {
        return HEAD_BYTES
                + (long) header.tokens().size() * Integer.BYTES
                + header.extra().remaining();
    }

    private void add(int index, StoredBlock block, int offset, int size) {
        ByteBuffer bytes = block.buffer(offset, size);
        WirePart part = new WirePart(
                index,
                offset,
                offset + size == block.header().bufferBytes(),
                crc32c(block.header(), bytes, offset, size),
                offset == 0 ? block.header() : null);
        block.retain();
        message.add(StreamingReadResponse.PARTS_FIELD_NUMBER, part, ReadPart.BYTES_FIELD_NUMBER, bytes, block::release);
    }

    /** Whole segments carry the checksums they were stored with, so that nothing in between can hide damage. */
    private static int crc32c(BlockHeader header, ByteBuffer bytes, int offset, int size) {
        boolean wholeSegments = offset % BlockHeader.SEGMENT_BYTES == 0
                && (size % BlockHeader.SEGMENT_BYTES == 0 || offset + size == header.bufferBytes());
        return wholeSegments
                ? header.crc32c(offset / BlockHeader.SEGMENT_BYTES, BlockHeader.segments(size))
                : Crc32c.of(bytes);
    }

    /** Sends what has gathered. False when the client has left or was cut off. */
    boolean flush() throws InterruptedException {
        if (message.isEmpty()) {
            return true;
        }
        Lent<StreamingReadResponse> gathered = message.make();
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

    /** Gives back what will not be sent. */
    void clear() {
        message.clear();
        begin();
    }
}
