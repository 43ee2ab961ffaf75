package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;

/** Lookups of a prompt that the data plane knows whole: its hash chain is sent, and locations are left out. */
public record MainJobLookups(KvClient client, Prompt prompt) implements MainJobOperation {
    @Override
    public void once(ClientSample sample) {
        long start = System.nanoTime();
        int found = client.lookup(prompt.partition(), prompt.chain()).cachedBlocks();
        sample.latency.addSince(start);
        if (found != prompt.chain().size()) {
            throw new IllegalStateException(found + " of " + prompt.chain().size() + " blocks found");
        }
    }
}
