package com.example.gateway;

import dev.kvstore.client.*;
import dev.kvstore.protocol.block.*;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Key-value caches of prompts in KV Store. When the store is away, the model computes instead. Thread-safe. */
final class PrefixCache {
    private static final Logger LOG = LoggerFactory.getLogger(PrefixCache.class);

    /** After a second, computing is the better choice. */
    private static final CallOptions RESTORE = CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(1));

    private static final CallOptions SAVE = CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(10));

    private final Counter restored;
    private final Counter saved;
    private final Counter fallbacks;
    private final KvClient client;
    private final Partition partition;

    /** @param model with revision and precision: caches of one fit no other */
    PrefixCache(KvClient client, String model, MeterRegistry meters) {
        this.client = client;
        this.partition = Partition.of(model);
        this.restored = meters.counter("gateway.blocks.restored");
        this.saved = meters.counter("gateway.blocks.saved");
        this.fallbacks = meters.counter("gateway.fallbacks");
        FunctionCounter.builder("gateway.store.retries", client, c -> c.counters().retries())
                .register(meters);
    }

    BlockChain chain(int[] prompt) {
        return BlockChain.of(partition, Tokens.of(prompt));
    }

    /** Restores blocks of a prompt into memory of the model, first block first; returns how many. */
    int restore(BlockChain chain, ByteBuffer memory) {
        int blocks = 0;
        try {
            Prefix prefix = client.lookup(partition, chain, RESTORE);
            try (BlockStream stream = client.read(chain.prefix(prefix.cachedBlocks()), RESTORE)) {
                for (BlockResult result : stream) {
                    if (!(result instanceof BlockResult.Found found)) {
                        break; // gone or damaged since the lookup: from here on the model computes
                    }
                    try (Block block = found.block()) {
                        block.copyTo(memory);
                    }
                    blocks++;
                }
            }
        } catch (KvStoreException e) {
            fallBack(e);
        }
        restored.increment(blocks);
        return blocks;
    }

    /** Stores the blocks of a prompt from one on. A failure costs the next prompt time, and no answer. */
    void save(BlockChain chain, int[] prompt, int from, ByteBuffer memory) {
        int bytes = chain.size() == 0 ? 0 : memory.capacity() / chain.size();
        try (BlockWriter writer = client.writer(partition, chain, SAVE)) {
            for (int i = from; i < chain.size(); i++) {
                Tokens tokens = Tokens.slice(prompt, i * 128, 128);
                writer.write(NewBlock.of(chain, i, tokens, memory.slice(i * bytes, bytes)))
                        .whenComplete((written, e) -> (e == null ? saved : fallbacks).increment());
            }
            writer.finish(); // until here the memory must not change
        } catch (KvStoreException e) {
            fallBack(e);
        }
    }

    private void fallBack(KvStoreException e) {
        fallbacks.increment();
        LOG.warn("without the store: {}", e.getMessage());
    }
}
