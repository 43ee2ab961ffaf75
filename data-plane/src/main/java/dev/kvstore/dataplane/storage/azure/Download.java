package dev.kvstore.dataplane.storage.azure;

import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.stream.Stream;

/** Content on its way in, chunk by chunk into memory taken when its length is known. */
final class Download {
    // Chunks of some 16 KiB that may wait while the one before is copied.
    private static final int CHUNKS_AHEAD = 16;

    private Download() {}

    /** Reads an answer to its end, or closes its connection. */
    static Blob read(String name, BlobDownloadAsyncResponse response, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        long length = length(response);
        boolean complete = false;
        try {
            BlockMemory memory = allocate(name, length, allocator);
            try {
                fill(name, response, memory.bytes());
                complete = true;
                return new Blob(memory, response.getDeserializedHeaders().getETag());
            } finally {
                if (!complete) {
                    memory.release();
                }
            }
        } finally {
            if (!complete) {
                close(name, response);
            }
        }
    }

    /** Bytes that an answer says it has, or -1. */
    static long length(BlobDownloadAsyncResponse response) {
        Long length = response.getDeserializedHeaders().getContentLength();
        return length == null ? -1 : length;
    }

    private static BlockMemory allocate(String name, long length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        if (length < 1 || length > Integer.MAX_VALUE) {
            throw new StorageException(Kind.UNAVAILABLE, "blob " + name + " has " + length + " bytes", null);
        }
        return allocator.allocate((int) length);
    }

    // Only this thread writes: once it returns, in whichever way, nobody touches the memory any more.
    private static void fill(String name, BlobDownloadAsyncResponse response, ByteBuffer bytes)
            throws StorageException {
        try (Stream<ByteBuffer> chunks = response.getValue().toStream(CHUNKS_AHEAD)) {
            for (Iterator<ByteBuffer> each = chunks.iterator(); each.hasNext(); ) {
                ByteBuffer chunk = each.next();
                if (chunk.remaining() > bytes.remaining()) {
                    throw new StorageException(Kind.UNAVAILABLE, "blob " + name + " is longer than it said", null);
                }
                bytes.put(chunk);
            }
        } catch (RuntimeException e) {
            throw AzureFailures.of("blob " + name, e);
        }
        if (bytes.hasRemaining()) {
            throw new StorageException(
                    Kind.UNAVAILABLE,
                    "blob " + name + " ended after " + bytes.position() + " of " + bytes.capacity() + " bytes",
                    null);
        }
    }

    private static void close(String name, BlobDownloadAsyncResponse response) throws StorageException {
        try {
            response.close();
        } catch (IOException e) {
            throw new StorageException(Kind.UNAVAILABLE, "blob " + name + ": " + e, e);
        }
    }
}
