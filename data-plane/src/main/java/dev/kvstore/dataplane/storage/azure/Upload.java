package dev.kvstore.dataplane.storage.azure;

import dev.kvstore.dataplane.storage.LentContent;
import dev.kvstore.dataplane.storage.http.Lease;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Content on its way out over HTTP. Once it is closed nobody touches the content, even if a request that was given up
 * is still being sent. Thread-safe.
 */
sealed interface Upload extends AutoCloseable {
    /** Content for a client of this kind. */
    static Upload of(ByteBuffer content, Transport transport) {
        return switch (transport) {
            case NETTY -> new Leased(content.slice(), new Lease());
            case JDK -> new CopiedUpload(new LentContent(content));
        };
    }

    /** Length in bytes. */
    int length();

    /** The content from its beginning, for each subscriber: a retry sends it again. */
    Flux<ByteBuffer> chunks();

    /** The same call, made so that its client knows what it may do with the content. */
    default <T> Mono<T> within(Mono<T> call) {
        return call;
    }

    @Override
    void close();

    private static Flux<ByteBuffer> chunks(int length, int most, UploadPiece piece) {
        return Flux.generate(() -> 0, (offset, sink) -> {
            if (offset == length) {
                sink.complete();
                return offset;
            }
            int bytes = Math.min(most, length - offset);
            sink.next(piece.of(offset, bytes));
            return offset + bytes;
        });
    }

    /** Makes a chunk. */
    @FunctionalInterface
    interface UploadPiece {
        ByteBuffer of(int offset, int length);
    }

    /** An upload for the client that reads the content itself, and says when it no longer does. */
    record Leased(ByteBuffer content, Lease lease) implements Upload {
        // The bytes that TLS encrypts at a time, and that may wait for the socket on each connection.
        private static final int CHUNK_BYTES = 256 << 10;

        @Override
        public int length() {
            return content.capacity();
        }

        @Override
        public Flux<ByteBuffer> chunks() {
            return Upload.chunks(length(), CHUNK_BYTES, content::slice);
        }

        @Override
        public <T> Mono<T> within(Mono<T> call) {
            return call.contextWrite(context -> context.put(AzureHttp.LEASE, lease));
        }

        @Override
        public void close() {
            lease.close();
        }
    }

    /** An upload for a client that reads for an unknown time: in copies, of which none is made after the close. */
    record CopiedUpload(LentContent content) implements Upload {
        // A copy is short-lived on the heap, and enough for a socket's buffer.
        private static final int CHUNK_BYTES = 64 << 10;

        @Override
        public int length() {
            return content.length();
        }

        @Override
        public Flux<ByteBuffer> chunks() {
            return Upload.chunks(length(), CHUNK_BYTES, (offset, length) -> {
                ByteBuffer chunk = ByteBuffer.allocate(length);
                content.copy(offset, chunk);
                return chunk.flip();
            });
        }

        @Override
        public void close() {
            content.close();
        }
    }
}
