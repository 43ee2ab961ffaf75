package dev.kvstore.dataplane.storage.azure;

import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Content of a blob on its way in, chunk by chunk from the network into memory taken when its length is known. */
final class Download {
    private Download() {}

    /** Reads an answer of a whole blob of at most so many bytes to its end, or closes its connection. */
    static Got read(String name, BlobDownloadAsyncResponse response, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        long length = length(response);
        if (length >= 0 && WrongSizeBlob.is(length, most)) {
            close(name, response);
            return new WrongSizeBlob(response.getDeserializedHeaders().getETag(), length);
        }
        return read(name, response, length, most, allocator);
    }

    /** Reads an answer of at most so many bytes of a blob to its end, or closes its connection. */
    static Blob readRange(String name, BlobDownloadAsyncResponse response, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return read(name, response, blobLength(name, response), most, allocator);
    }

    private static Blob read(
            String name, BlobDownloadAsyncResponse response, long blobLength, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        boolean complete = false;
        try {
            String etag = response.getDeserializedHeaders().getETag();
            BlockMemory memory = allocate(name, length(response), most, allocator);
            try {
                fill(name, response, memory.bytes());
                complete = true;
                return new Blob(memory, etag, blobLength);
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

    /** Length of the blob of which an answer has a range: the number behind the '/' in {@code Content-Range}. */
    private static long blobLength(String name, BlobDownloadAsyncResponse response) throws StorageException {
        String range = response.getDeserializedHeaders().getContentRange();
        if (range == null) {
            return length(response);
        }
        String length = range.substring(range.lastIndexOf('/') + 1);
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            close(name, response);
            throw new StorageException(
                    Kind.UNAVAILABLE, "blob " + name + " answered with Content-Range \"" + range + '"', e);
        }
    }

    private static BlockMemory allocate(String name, long length, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        if (length < 1 || length > most) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "blob " + name + " answered with " + length + " bytes, not 1 to " + most, null);
        }
        return allocator.allocate((int) length);
    }

    private static void fill(String name, BlobDownloadAsyncResponse response, ByteBuffer bytes)
            throws StorageException {
        try (BufferSink filling = new BufferSink(bytes)) {
            AzureFailures.await(
                    "blob " + name, response.getValue().doOnNext(filling::take).then());
            if (filling.isOverflown()) {
                throw new StorageException(Kind.UNAVAILABLE, "blob " + name + " is longer than it said", null);
            }
            if (filling.length() < bytes.capacity()) {
                throw new StorageException(
                        Kind.UNAVAILABLE,
                        "blob " + name + " ended after " + filling.length() + " of " + bytes.capacity() + " bytes",
                        null);
            }
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
