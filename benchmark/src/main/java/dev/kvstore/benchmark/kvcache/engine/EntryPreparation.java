package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.CallLoad;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Entries that are there before a run. For one thread. */
public record EntryPreparation(TieredCache cache, BenchProgress progress) {
    /** The tokens of each entry. */
    public static final int TOKENS = 2_048;

    private static final int ENTRIES_PER_USER = 10;

    /** Writes until so many bytes are written, whatever of them stays. */
    public void precondition(long bytes, long entryBytes, int threads) throws InterruptedException {
        int entries = Math.toIntExact(Math.ceilDiv(bytes, entryBytes));
        progress.accept("preconditioning: " + entries + " entries of " + entryBytes + " bytes");
        write("precond_", entries, threads);
    }

    /** Writes what a decode-only run reads; the keys. */
    public List<String> entries(int users, int threads) throws InterruptedException {
        int entries = users * ENTRIES_PER_USER;
        progress.accept("writing " + entries + " entries to decode");
        write("prepop_", entries, threads);
        return IntStream.range(0, entries).mapToObj(i -> "prepop_" + i).toList();
    }

    /** Writes the parts of all documents, and deletes those of documents that too many came after. */
    public void documents(RagDocuments documents) throws IOException, InterruptedException {
        int chunks =
                documents.all().stream().mapToInt(one -> one.chunks().size()).sum();
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

    private void write(String prefix, int entries, int threads) throws InterruptedException {
        ThreadLocal<Scratch> memory = ThreadLocal.withInitial(Scratch::new);
        CallLoad.calls(threads, 0, entries, number -> cache.allocate(prefix + number, TOKENS, memory.get()));
    }
}
