package dev.kvstore.client.internal.read;

import com.google.protobuf.ByteString;
import dev.kvstore.client.Block;
import dev.kvstore.client.internal.read.ReceivedHead.BlockFlawException;
import dev.kvstore.protocol.answer.v1.AnswerPart;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.Crc32c;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one block that have arrived, each verified. The parts hold their memory until they become a block or are
 * closed.
 */
final class BlockParts implements AutoCloseable {
    private final BlockHash wanted;
    private final BlockHasher hasher;
    private final List<ByteBuffer> views = new ArrayList<>();
    private final List<ReceivedMessage> memory = new ArrayList<>();
    private @Nullable ReceivedHead head;
    private long received;
    private int crc;

    BlockParts(BlockHash wanted, BlockHasher hasher) {
        this.wanted = wanted;
        this.hasher = hasher;
    }

    /**
     * Takes the next part.
     *
     * @throws BlockFlawException if the part is damaged or not the next one
     */
    void add(AnswerPart part, ReceivedMessage message) throws BlockFlawException {
        ReceivedHead receivedHead = head;
        if (receivedHead == null) {
            if (!part.hasHead()) {
                throw new BlockFlawException("its first part is missing");
            }
            receivedHead = ReceivedHead.of(part.getHead(), wanted, hasher);
            head = receivedHead;
        }
        ByteString bytes = part.getBytes();
        if (part.getOffset() != received) {
            throw new BlockFlawException("a part is at " + part.getOffset() + " instead of " + received);
        }
        if (received + bytes.size() > receivedHead.bufferBytes()) {
            throw new BlockFlawException("its parts have more than its " + receivedHead.bufferBytes() + " bytes");
        }
        List<ByteBuffer> buffers = bytes.asReadOnlyByteBufferList();
        if (Crc32c.of(buffers) != part.getCrc32C()) {
            throw new BlockFlawException("the checksum of the part at " + received + " is wrong");
        }
        message.retain();
        memory.add(message);
        views.addAll(buffers);
        crc = received == 0 ? part.getCrc32C() : append(crc, part.getCrc32C(), bytes.size());
        received += bytes.size();
    }

    /**
     * Makes the block, which takes the memory over.
     *
     * @throws BlockFlawException if the block is not whole
     */
    Block toBlock(int index, LeakDetector leaks) throws BlockFlawException {
        ReceivedHead receivedHead = head;
        if (receivedHead == null || received != receivedHead.bufferBytes()) {
            throw new BlockFlawException("it ended after " + received + " bytes");
        }
        if (crc != receivedHead.crc32c()) {
            throw new BlockFlawException("the checksum of the whole is wrong");
        }
        Block whole = new ReceivedBlock(index, receivedHead, views, memory, leaks);
        memory.clear();
        return whole;
    }

    /**
     * The checksum of two pieces together. Whole segments have a prepared operator; other lengths need a computation
     * each time.
     */
    private static int append(int first, int second, int secondBytes) {
        int rest = secondBytes % BlockHeader.SEGMENT_BYTES;
        int shifted = rest == 0 ? first : Crc32c.combine(first, 0, rest);
        for (int left = secondBytes - rest; left > 0; left -= BlockHeader.SEGMENT_BYTES) {
            shifted = Crc32c.combine(shifted, 0, BlockHeader.SEGMENT_BYTES);
        }
        return shifted ^ second;
    }

    @Override
    public void close() {
        memory.forEach(ReceivedMessage::release);
        memory.clear();
    }
}
