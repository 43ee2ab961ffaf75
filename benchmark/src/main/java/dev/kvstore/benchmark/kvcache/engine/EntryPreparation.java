package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** Entries that are there before a run. For one thread. */
public final class EntryPreparation {
    /** The tokens of each entry. */
    public static final int TOKENS = 2_048;

    private static final int ENTRIES_PER_USER = 10;

    private final TieredCache cache;
    private final BenchProgress progress;

    public EntryPreparation(TieredCache cache, BenchProgress progress) {
        this.cache = cache;
        this.progress = progress;
    }

    /** Writes until so many bytes are written, whatever of them stays. */
    public void precondition(long bytes, long entryBytes, int threads) throws IOException, InterruptedException {
        long entries = (bytes + entryBytes - 1) / entryBytes;
        progress.accept("preconditioning: " + entries + " entries of " + entryBytes + " bytes");
        write("precond_", entries, threads);
    }

    /** Writes what a decode-only run reads; the keys. */
    public List<String> entries(int users, int threads) throws IOException, InterruptedException {
        long entries = (long) users * ENTRIES_PER_USER;
        progress.accept("writing " + entries + " entries to decode");
        write("prepop_", entries, threads);
        return LongStream.range(0, entries).mapToObj(i -> "prepop_" + i).toList();
    }

    /** Writes the parts of all documents, and deletes those of documents that too many came after. */
    public void documents(RagDocuments documents) throws IOException, InterruptedException {
        long chunks =
                documents.all().stream().mapToLong(one -> one.chunks().size()).sum();
        progress.accept("ingesting " + documents.all().size() + " documents, " + chunks + " chunks");
        Scratch memory = new Scratch();
        for (RagDocuments.RagDocument document : documents.all()) {
            for (RagDocuments.Chunk chunk : document.chunks()) {
                cache.allocate(chunk.key(), chunk.tokens(), memory);
            }
        }
        for (RagDocuments.RagDocument document : documents.pushedOut()) {
            for (RagDocuments.Chunk chunk : document.chunks()) {
                cache.delete(chunk.key());
            }
        }
    }

    private void write(String prefix, long entries, int threads) throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        Callable<Void> writer = () -> {
            Scratch memory = new Scratch();
            for (long n = next.getAndIncrement(); n < entries; n = next.getAndIncrement()) {
                cache.allocate(prefix + n, TOKENS, memory);
            }
            return null;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> written : pool.invokeAll(Collections.nCopies(threads, writer))) {
                written.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IllegalStateException(e);
        } finally {
            pool.shutdownNow();
        }
    }
}
