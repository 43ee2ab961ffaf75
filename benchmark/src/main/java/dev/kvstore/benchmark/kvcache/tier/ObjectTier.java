package dev.kvstore.benchmark.kvcache.tier;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * A blob for each entry, through the library that applications use: one request reads it, one writes it up to 64 MiB,
 * and blocks of 16 MiB write it beyond. Device time is the time of the whole call. The library repeats calls that may
 * succeed later. Thread-safe.
 */
public final class ObjectTier implements Tier {
    private static final long BLOCK_BYTES = 16L << 20;
    private static final long MOST_AT_ONCE = 64L << 20;
    private static final int NOT_FOUND = 404;

    // Pieces of one upload under way: two hide the round trip, more would take the memory of as many workers.
    private static final int PARALLEL = 2;

    private final BlobContainerClient container;
    private final String prefix;
    private final NoiseContent content;

    /**
     * Entries in a container.
     *
     * @param prefix of their names, which no other blob has: when this is closed, those blobs are deleted
     */
    public ObjectTier(BlobContainerClient container, String prefix, NoiseContent content) {
        this.container = container;
        this.prefix = prefix;
        this.content = content;
    }

    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        long begin = System.nanoTime();
        ContentStream bytes = new ContentStream(content, blob);
        try {
            upload(container.getBlobClient(name(blob)), bytes, blob.bytes());
        } catch (RuntimeException e) {
            throw failure(blob, "written", e);
        }
        long nanos = Math.max(0, System.nanoTime() - begin - bytes.makingNanos());
        moved.accept(blob.bytes());
        return new IoTime(nanos, 0);
    }

    /** The forms of the call that send bytes as they are made: others of the library copy all of them first. */
    private static void upload(BlobClient blob, InputStream bytes, long length) {
        if (length <= MOST_AT_ONCE) {
            blob.getBlockBlobClient()
                    .uploadWithResponse(new BlockBlobSimpleUploadOptions(bytes, length), null, Context.NONE);
            return;
        }
        ParallelTransferOptions pieces = new ParallelTransferOptions()
                .setBlockSizeLong(BLOCK_BYTES)
                .setMaxSingleUploadSizeLong(BLOCK_BYTES)
                .setMaxConcurrency(PARALLEL);
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(bytes).setParallelTransferOptions(pieces), null, Context.NONE);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, ReadCheck check, LongConsumer moved) throws IOException {
        long begin = System.nanoTime();
        Checked read = new Checked(blob, check, moved);
        try {
            container
                    .getBlobClient(name(blob))
                    .downloadStreamWithResponse(read, null, null, null, false, null, Context.NONE);
        } catch (RuntimeException e) {
            throw failure(blob, "read", e);
        }
        if (read.offset != blob.bytes()) {
            throw new DamageException(blob, Math.min(read.offset, blob.bytes()));
        }
        return new IoTime(System.nanoTime() - begin - read.checking, 0);
    }

    /** Takes what arrives, looks at its stamps, and keeps nothing. */
    private static final class Checked extends OutputStream {
        private final EntryBytes blob;
        private final ReadCheck check;
        private final LongConsumer moved;
        private long offset;
        private long checking;

        private Checked(EntryBytes blob, ReadCheck check, LongConsumer moved) {
            this.blob = blob;
            this.check = check;
            this.moved = moved;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            moved.accept(length);
            long start = System.nanoTime();
            NoiseContent.check(blob, offset, MemorySegment.ofArray(bytes).asSlice(from, length), check);
            offset += length;
            checking += System.nanoTime() - start;
        }
    }

    private String name(EntryBytes blob) {
        return prefix + blob.id();
    }

    private static IOException failure(EntryBytes blob, String verb, RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DamageException damage) {
                return damage;
            }
            if (cause instanceof BlobStorageException answer && answer.getStatusCode() == NOT_FOUND) {
                return new IOException("entry " + blob.id() + " is not there any more: the store dropped it", failure);
            }
        }
        return new IOException("entry " + blob.id() + " cannot be " + verb + ": " + failure.getMessage(), failure);
    }

    @Override
    public void delete(EntryBytes blob) throws IOException {
        delete(name(blob));
    }

    private void delete(String name) throws IOException {
        try {
            container
                    .getBlobClient(name)
                    .deleteIfExistsWithResponse(DeleteSnapshotsOptionType.INCLUDE, null, null, Context.NONE);
        } catch (RuntimeException e) {
            throw new IOException("blob " + name + " cannot be deleted: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (BlobItem left : container.listBlobs(new ListBlobsOptions().setPrefix(prefix), null)) {
                delete(left.getName());
            }
        } catch (BlobStorageException | UncheckedIOException e) {
            throw new IOException("blobs below " + prefix + " cannot be listed: " + e.getMessage(), e);
        }
    }
}
