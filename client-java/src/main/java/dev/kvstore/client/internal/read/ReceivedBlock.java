package dev.kvstore.client.internal.read;

import dev.kvstore.client.Block;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;

/** A block whose buffer lies in network memory. */
final class ReceivedBlock implements Block {
    private final int index;
    private final ReceivedHead head;
    private final List<ByteBuffer> views;
    private final LeakDetector.Holding memory;

    ReceivedBlock(
            int index, ReceivedHead head, List<ByteBuffer> views, List<ReceivedMessage> memory, LeakDetector leaks) {
        this.index = index;
        this.head = head;
        this.views = List.copyOf(views);
        this.memory = leaks.watch(this, head.hash().hex(), List.copyOf(memory));
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public BlockHash hash() {
        return head.hash();
    }

    @Override
    public BlockHash parent() {
        return head.parent();
    }

    @Override
    public Tokens tokens() {
        return head.tokens();
    }

    @Override
    public ByteBuffer extra() {
        return head.extra().asReadOnlyByteBuffer();
    }

    @Override
    public String writer() {
        return head.writer();
    }

    @Override
    public int length() {
        return head.bufferBytes();
    }

    @Override
    public int crc32c() {
        return head.crc32c();
    }

    @Override
    public List<ByteBuffer> buffers() {
        requireOpen();
        return views.stream().map(ByteBuffer::slice).toList();
    }

    @Override
    public void copyTo(ByteBuffer target) {
        requireOpen();
        try {
            for (ByteBuffer view : views) {
                target.put(view.duplicate());
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void close() {
        memory.close();
    }

    private void requireOpen() {
        if (memory.closed()) {
            throw new IllegalStateException("block " + hash() + " is closed; its memory is no longer its own");
        }
    }
}
