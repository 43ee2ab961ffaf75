package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.engine.Answering;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Served;
import dev.kvstore.benchmark.kvcache.engine.ServedPrefix;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Serves a request as an inference engine does: looks up the longest stored prefix of the prompt, reads its blocks,
 * computes the rest, and writes the whole blocks that were missing. The answer's tokens are of the next turn's prompt.
 * Computing takes no time here: how long it would take is a model ({@link PrefillModel}). Thread-safe.
 */
public final class BlockServing implements Answering {
    private static final double NANOS = 1e9;

    private final BlockCache cache;
    private final BlockSetup setup;
    private final AtomicReference<Ledger> ledger;
    private final LongSupplier nanoTime;

    /**
     * How blocks are made.
     *
     * @param sharedTokens length of each shared prompt
     * @param secondsPerToken that a worker sleeps for each token of an answer
     */
    public record BlockSetup(Partition partition, int sharedTokens, PrefillModel prefill, double secondsPerToken) {}

    public BlockServing(BlockCache cache, BlockSetup setup, AtomicReference<Ledger> ledger, LongSupplier nanoTime) {
        this.cache = cache;
        this.setup = setup;
        this.ledger = ledger;
        this.nanoTime = nanoTime;
    }

    @Override
    public Served serve(UserRequest request, Scratch memory) throws IOException, InterruptedException {
        BlockPrompt prompt = BlockPrompt.of(request, setup.partition(), setup.sharedTokens());
        long begin = nanoTime.getAsLong();
        int stored = prompt.blocks() == 0 ? 0 : cache.lookup(prompt);
        long lookedUp = nanoTime.getAsLong();
        int found = stored == 0 ? 0 : cache.read(prompt, stored, memory);
        long read = nanoTime.getAsLong();
        ledger.get().misses.add(prompt.blocks() - found);
        boolean writes = found < prompt.blocks();
        if (writes) {
            cache.write(prompt, found, memory);
        }
        long written = nanoTime.getAsLong();
        count(prompt, found, request);
        double generation = request.generationTokens() * setup.secondsPerToken();
        if (generation > 0) {
            TimeUnit.NANOSECONDS.sleep(Math.round(generation * NANOS));
        }
        long saved = (long) found * setup.partition().blockTokens();
        return new Served(
                written - begin,
                writes ? written - read : -1,
                found > 0 ? read - lookedUp : -1,
                generation,
                new ServedPrefix(
                        prompt.tokens(),
                        prompt.blocks(),
                        found,
                        saved,
                        lookedUp - begin,
                        (read - begin) / NANOS + setup.prefill().seconds(prompt.tokens() - saved),
                        setup.prefill().seconds(prompt.tokens())));
    }

    /** In the original's terms: a shared prompt and a conversation's turns before this one. */
    private void count(BlockPrompt prompt, int found, UserRequest request) {
        Ledger now = ledger.get();
        if (request.firstPrompt() != null) {
            (found > 0 ? now.prefixHits : now.prefixMisses).increment();
        }
        if (request.turn() > 1) {
            (found > 0 && !prompt.isShared(found - 1) ? now.turnHits : now.turnMisses).increment();
        }
    }
}
