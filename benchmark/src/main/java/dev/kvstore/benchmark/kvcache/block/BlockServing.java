package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.PrefixCounts.ServedPrefix;
import dev.kvstore.benchmark.kvcache.engine.Served;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Serves a request as an inference engine does: looks up the longest stored prefix of the prompt, reads its blocks,
 * computes the rest, and writes the whole blocks that were missing. The answer's tokens are of the next turn's prompt.
 * Computing takes no time here: how long it would take is a model ({@link PrefillModel}). Thread-safe.
 *
 * @param sharedTokens length of each shared prompt
 */
public record BlockServing(
        BlockCache cache,
        Partition partition,
        int sharedTokens,
        PrefillModel prefill,
        AtomicReference<Ledger> ledger,
        LongSupplier nanoTime)
        implements Served.Answering {
    private static final double NANOS = 1e9;

    @Override
    public Served serve(UserRequest request, Scratch memory) throws IOException, InterruptedException {
        BlockPrompt prompt = BlockPrompt.of(request, partition, sharedTokens);
        long begin = nanoTime.getAsLong();
        int stored = prompt.blocks() == 0 ? 0 : cache.lookup(prompt);
        long lookedUp = nanoTime.getAsLong();
        int found = stored == 0 ? 0 : cache.read(prompt, stored, memory);
        long read = nanoTime.getAsLong();
        boolean writes = found < prompt.blocks();
        if (writes) {
            cache.write(prompt, found, memory);
        }
        long written = nanoTime.getAsLong();
        count(prompt, found, request);
        long saved = (long) found * partition.blockTokens();
        ServedPrefix prefix = new ServedPrefix(
                prompt.tokens(),
                prompt.blocks(),
                found,
                saved,
                lookedUp - begin,
                (read - begin) / NANOS + prefill.seconds(prompt.tokens() - saved),
                prefill.seconds(prompt.tokens()));
        return new Served(written - begin, writes ? written - read : -1, found > 0 ? read - lookedUp : -1, prefix);
    }

    /** In the original's terms: a shared prompt and a conversation's turns before this one. */
    private void count(BlockPrompt prompt, int found, UserRequest request) {
        Ledger now = ledger.get();
        now.misses.add(prompt.blocks() - found);
        if (request.firstPrompt() != null) {
            (found > 0 ? now.prefixHits : now.prefixMisses).increment();
        }
        if (request.turn() > 1) {
            (found > 0 && !prompt.isShared(found - 1) ? now.turnHits : now.turnMisses).increment();
        }
    }
}
