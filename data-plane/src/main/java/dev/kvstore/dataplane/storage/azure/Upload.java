package dev.kvstore.dataplane.storage.azure;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import reactor.core.publisher.Flux;

/**
 * Content on its way out. The HTTP client may still be sending when a put has been given up, and the caller's memory
 * holds another block by then: so chunks are copies, and none is made after the close. Thread-safe.
 */
final class Upload implements AutoCloseable {
    // Short-lived on the heap, and enough for a socket's buffer.
    private static final int CHUNK_BYTES = 64 << 10;

    private final ByteBuffer content;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    Upload(ByteBuffer content) {
        this.content = content.slice();
    }

    /** Length in bytes. */
    int length() {
        return content.capacity();
    }

    /** The content from its beginning, for each subscriber: a retry sends it again. */
    Flux<ByteBuffer> chunks() {
        return Flux.generate(() -> 0, (offset, sink) -> {
            if (offset == length()) {
                sink.complete();
                return offset;
            }
            byte[] chunk = copy(offset);
            sink.next(ByteBuffer.wrap(chunk));
            return offset + chunk.length;
        });
    }

    private byte[] copy(int offset) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the put was given up");
            }
            byte[] chunk = new byte[Math.min(CHUNK_BYTES, length() - offset)];
            content.get(offset, chunk);
            return chunk;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
