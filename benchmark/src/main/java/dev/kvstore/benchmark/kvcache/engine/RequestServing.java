package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.engine.RunPlan.RequestPart;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.ReadPurpose;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.TierAccess;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads and writes for one request, in the order of the original: the shared prompt, earlier turns, its own entry
 * written, its own entry read for each batch of tokens. Thread-safe.
 *
 * @param prepared entries that a decode-only run reads
 */
public record RequestServing(
        RunPlan plan, Model model, TieredCache cache, AtomicReference<Ledger> ledger, List<String> prepared)
        implements Served.Answering {
    public RequestServing {
        prepared = List.copyOf(prepared);
    }

    @Override
    public Served serve(UserRequest request, Scratch memory) throws IOException, InterruptedException {
        SystemPrompt prompt = request.prompt();
        long io = 0;
        long context = request.contextTokens();
        if (prompt != null) {
            ledger.get().prefixHits.increment();
            ledger.get().prefixBytesSaved.add(prompt.tokens() * model.bytesPerToken());
            io += readPrompt(prompt, memory);
            // In the original a request that is no longer than its prompt writes an entry of nothing.
            context = Math.max(plan.honest() ? 1 : 0, context - prompt.tokens());
        } else if (plan.prefixes()) {
            ledger.get().prefixMisses.increment();
        }
        long prefill = -1;
        if (writes() && request.phase() != RequestPhase.DECODE) {
            io += readTurns(request, memory);
            prefill = cache.allocate(request.key(), context, memory);
            io += prefill;
        }
        io += readChunks(request, memory);
        long decode = -1;
        if (plan.part() != RequestPart.PREFILL_ONLY && request.phase() != RequestPhase.PREFILL) {
            decode = 0;
            if (plan.honest() && request.phase() == RequestPhase.DECODE) {
                // Each batch of tokens reads all parts, as it reads the entry of another request.
                for (RagDocuments.Chunk chunk : request.chunks()) {
                    decode += readBatches(chunk.key(), request.generationTokens(), ReadPurpose.USER, memory);
                }
            } else {
                ReadPurpose use = prompt == null ? ReadPurpose.USER : ReadPurpose.SYSTEM_PROMPT;
                String key = prepared.isEmpty()
                        ? request.key()
                        : prepared.get((int) (request.decodeChoice() * prepared.size()));
                TierAccess probe = cache.access(key, use, memory);
                if (probe.hit()) {
                    decode = probe.nanos() + readBatches(key, request.generationTokens(), use, memory);
                } else if (writes()) {
                    io += cache.allocate(request.key(), context, memory);
                }
            }
            io += decode;
        }
        return new Served(io, prefill, decode, null);
    }

    private boolean writes() {
        return plan.part() != RequestPart.DECODE_ONLY;
    }

    /** The original never writes it, so it never finds it. */
    private long readPrompt(SystemPrompt prompt, Scratch memory) throws IOException, InterruptedException {
        TierAccess access = cache.access(prompt.key(), ReadPurpose.SYSTEM_PROMPT, memory);
        return access.hit() || !plan.honest() || !writes()
                ? access.nanos()
                : cache.allocate(prompt.key(), prompt.tokens(), memory);
    }

    private long readTurns(UserRequest request, Scratch memory) throws IOException {
        long io = 0;
        for (String turn : plan.honest() ? request.turnsBefore() : request.turnsAsOriginal()) {
            TierAccess access = cache.access(turn, ReadPurpose.EARLIER_TURN, memory);
            io += access.nanos();
            (access.hit() ? ledger.get().turnHits : ledger.get().turnMisses).increment();
        }
        return io;
    }

    /** A part of a document that is not there any more is computed again, and written. */
    private long readChunks(UserRequest request, Scratch memory) throws IOException, InterruptedException {
        long io = 0;
        for (RagDocuments.Chunk chunk : request.chunks()) {
            TierAccess access = cache.access(chunk.key(), ReadPurpose.USER, memory);
            io += access.nanos();
            (access.hit() ? ledger.get().chunkHits : ledger.get().chunkMisses).increment();
            if (plan.honest() && !access.hit() && writes()) {
                io += cache.allocate(chunk.key(), chunk.tokens(), memory);
            }
        }
        return io;
    }

    private long readBatches(String key, long tokens, ReadPurpose use, Scratch memory) throws IOException {
        long batches = Math.max(1, Math.ceilDiv(tokens, plan.config().decode().batchSize()));
        long nanos = 0;
        for (long i = 0; i < batches; i++) {
            nanos += cache.access(key, use, memory).nanos();
        }
        return nanos;
    }
}
