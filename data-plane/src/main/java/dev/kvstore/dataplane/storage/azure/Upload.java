package dev.kvstore.dataplane.storage.azure;

import dev.kvstore.dataplane.storage.LentContent;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** Content on its way out over HTTP. Thread-safe. */
final class Upload implements AutoCloseable {
    // Short-lived on the heap, and enough for a socket's buffer.
    private static final int CHUNK_BYTES = 64 << 10;

    private final LentContent content;

    Upload(ByteBuffer content) {
        this.content = new LentContent(content);
    }

    /** Length in bytes. */
    int length() {
        return content.length();
    }

    /** The content from its beginning, for each subscriber: a retry sends it again. */
    Flux<ByteBuffer> chunks() {
        return Flux.generate(() -> 0, (offset, sink) -> {
            if (offset == length()) {
                sink.complete();
                return offset;
            }
            ByteBuffer chunk = ByteBuffer.allocate(Math.min(CHUNK_BYTES, length() - offset));
            content.copy(offset, chunk);
            sink.next(chunk.flip());
            return offset + chunk.capacity();
        });
    }

    @Override
    public void close() {
        content.close();
    }
}
