package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.SystemPrompt;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.ReadPurpose;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.TierAccess;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads and writes for one request, in the order of the original: the shared prompt, earlier turns, its own entry
 * written, its own entry read for each batch of tokens, and the time that the tokens take. Thread-safe.
 */
public final class RequestServing implements Answering {
    private static final double NANOS = 1e9;

    private final RunPlan plan;
    private final Model model;
    private final TieredCache cache;
    private final AtomicReference<Ledger> ledger;
    private final List<String> prepared;

    /**
     * Serves from a cache.
     *
     * @param prepared entries that a decode-only run reads
     */
    public RequestServing(
            RunPlan plan, Model model, TieredCache cache, AtomicReference<Ledger> ledger, List<String> prepared) {
        this.plan = plan;
        this.model = model;
        this.cache = cache;
        this.ledger = ledger;
        this.prepared = List.copyOf(prepared);
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
            context = Math.max(leastTokens(), context - prompt.tokens());
        } else if (plan.prefixes()) {
            ledger.get().prefixMisses.increment();
        }
        long prefill = -1;
        if (plan.part() != RunPlan.RequestPart.DECODE_ONLY && request.phase() != RequestPhase.DECODE) {
            io += readTurns(request, memory);
            prefill = cache.allocate(request.key(), context, memory);
            io += prefill;
        }
        io += readChunks(request, memory);
        long decode = -1;
        if (plan.honest() && request.phase() == RequestPhase.DECODE) {
            if (plan.part() != RunPlan.RequestPart.PREFILL_ONLY) {
                decode = answerFromChunks(request, memory);
                io += decode;
            }
        } else if (plan.part() != RunPlan.RequestPart.PREFILL_ONLY && request.phase() != RequestPhase.PREFILL) {
            ReadPurpose use = prompt == null ? ReadPurpose.USER : ReadPurpose.SYSTEM_PROMPT;
            decode = 0;
            String key = decodeKey(request);
            TierAccess probe = cache.access(key, use, memory);
            if (probe.hit()) {
                decode = probe.nanos() + readBatches(key, request.generationTokens(), use, memory);
                io += decode;
            } else if (plan.part() != RunPlan.RequestPart.DECODE_ONLY) {
                io += cache.allocate(request.key(), context, memory);
            }
        }
        double generation = request.generationTokens() * plan.secondsPerToken();
        if (generation > 0) {
            TimeUnit.NANOSECONDS.sleep(Math.round(generation * NANOS));
        }
        return new Served(io, prefill, decode, generation, null);
    }

    /** In the original a request that is no longer than its prompt writes an entry of nothing. */
    private int leastTokens() {
        return plan.honest() ? 1 : 0;
    }

    /** The original never writes it, so it never finds it. */
    private long readPrompt(SystemPrompt prompt, Scratch memory) throws IOException, InterruptedException {
        TierAccess access = cache.access(prompt.key(), ReadPurpose.SYSTEM_PROMPT, memory);
        if (access.hit() || !plan.honest() || plan.part() == RunPlan.RequestPart.DECODE_ONLY) {
            return access.nanos();
        }
        return cache.allocate(prompt.key(), prompt.tokens(), memory);
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
            if (plan.honest() && !access.hit() && plan.part() != RunPlan.RequestPart.DECODE_ONLY) {
                io += cache.allocate(chunk.key(), chunk.tokens(), memory);
            }
        }
        return io;
    }

    /** Each batch of tokens reads all parts, as it reads the entry of another request. */
    private long answerFromChunks(UserRequest request, Scratch memory) throws IOException {
        long nanos = 0;
        for (RagDocuments.Chunk chunk : request.chunks()) {
            nanos += readBatches(chunk.key(), request.generationTokens(), ReadPurpose.USER, memory);
        }
        return nanos;
    }

    private String decodeKey(UserRequest request) {
        return prepared.isEmpty() ? request.key() : prepared.get((int) (request.decodeChoice() * prepared.size()));
    }

    private long readBatches(String key, long tokens, ReadPurpose use, Scratch memory) throws IOException {
        int batch = plan.config().decode().batchSize();
        long batches = Math.max(1, (tokens + batch - 1) / batch);
        long nanos = 0;
        for (long i = 0; i < batches; i++) {
            nanos += cache.access(key, use, memory).nanos();
        }
        return nanos;
    }
}
