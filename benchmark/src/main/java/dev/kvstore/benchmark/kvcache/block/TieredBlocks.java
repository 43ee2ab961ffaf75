package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.ReadPurpose;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import java.io.IOException;

/**
 * Blocks in tiers, an entry each. A block that is evicted cuts the prompts short that go on behind it. Thread-safe.
 *
 * @param cache the caller's to close
 */
public record TieredBlocks(TieredCache cache, int blockTokens) implements BlockCache {
    @Override
    public int lookup(BlockPrompt prompt) {
        int found = 0;
        while (found < prompt.blocks() && cache.contains(prompt.key(found))) {
            found++;
        }
        return found;
    }

    @Override
    public int read(BlockPrompt prompt, int blocks, Scratch memory) throws IOException {
        for (int i = 0; i < blocks; i++) {
            ReadPurpose use = prompt.isShared(i) ? ReadPurpose.SYSTEM_PROMPT : ReadPurpose.EARLIER_TURN;
            if (!cache.access(prompt.key(i), use, memory).hit()) {
                return i;
            }
        }
        return blocks;
    }

    @Override
    public void write(BlockPrompt prompt, int first, Scratch memory) throws IOException, InterruptedException {
        for (int i = first; i < prompt.blocks(); i++) {
            cache.allocate(prompt.key(i), blockTokens, memory);
        }
    }
}
