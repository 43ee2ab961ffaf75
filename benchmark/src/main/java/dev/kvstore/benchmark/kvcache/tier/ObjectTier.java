package dev.kvstore.benchmark.kvcache.tier;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * A blob for each entry, through the library that applications use: one request reads it, one writes it up to 64 MiB,
 * and blocks of 16 MiB write it beyond. Device time is the time of the whole call. The library repeats calls that may
 * succeed later. Thread-safe.
 *
 * @param prefix of their names, which no other blob has: when this is closed, those blobs are deleted
 */
public record ObjectTier(BlobContainerClient container, String prefix, NoiseContent content) implements Tier {
    private static final long BLOCK_BYTES = 16L << 20;
    private static final long MOST_AT_ONCE = 64L << 20;
    private static final int NOT_FOUND = 404;
    // Pieces of one upload under way: two hide the round trip, more would take the memory of as many workers.
    private static final int PARALLEL = 2;

    private BlobClient client(EntryBytes blob) {
        return container.getBlobClient(prefix + blob.id());
    }

    /** By the forms of the call that send bytes as they are made: others of the library copy all of them first. */
    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        long begin = System.nanoTime();
        ContentStream bytes = new ContentStream(content, blob);
        try {
            if (blob.bytes() <= MOST_AT_ONCE) {
                BlockBlobSimpleUploadOptions whole = new BlockBlobSimpleUploadOptions(bytes, blob.bytes());
                client(blob).getBlockBlobClient().uploadWithResponse(whole, null, Context.NONE);
            } else {
                ParallelTransferOptions pieces = new ParallelTransferOptions()
                        .setBlockSizeLong(BLOCK_BYTES)
                        .setMaxSingleUploadSizeLong(BLOCK_BYTES)
                        .setMaxConcurrency(PARALLEL);
                BlobParallelUploadOptions all = new BlobParallelUploadOptions(bytes);
                client(blob).uploadWithResponse(all.setParallelTransferOptions(pieces), null, Context.NONE);
            }
        } catch (RuntimeException e) {
            throw failure(blob, "written", e);
        }
        long nanos = Math.max(0, System.nanoTime() - begin - bytes.makingNanos());
        moved.accept(blob.bytes());
        return new IoTime(nanos, 0);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
        long begin = System.nanoTime();
        Checked read = new Checked(blob, check, moved);
        try {
            client(blob).downloadStreamWithResponse(read, null, null, null, false, null, Context.NONE);
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
        private final boolean check;
        private final LongConsumer moved;
        private long offset;
        private long checking;

        private Checked(EntryBytes blob, boolean check, LongConsumer moved) {
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
        try {
            client(blob).deleteIfExists();
        } catch (RuntimeException e) {
            throw failure(blob, "deleted", e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (BlobItem left : container.listBlobs(new ListBlobsOptions().setPrefix(prefix), null)) {
                container.getBlobClient(left.getName()).deleteIfExists();
            }
        } catch (RuntimeException e) {
            throw new IOException("blobs below " + prefix + " cannot be deleted: " + e.getMessage(), e);
        }
    }
}
