package com.example.gateway;

import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Answers prompts, one a line of standard input. Its arguments are the data planes. */
public final class Console {
    private static final int BLOCK_BYTES = 64 * 1024;

    public static void main(String[] args) throws IOException {
        try (KvClient client = KvClient.builder()
                        .endpoints(args)
                        .apiKey(System.getenv("KV_API_KEY"))
                        .resource("demo")
                        .build(); // closing it ends what is open
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            PrefixCache cache = new PrefixCache(client, "toy/rev1/fp16");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                answer(cache, line.chars().toArray()); // the tokens of a toy: one a letter
            }
            System.out.println("restored " + cache.restored + ", saved " + cache.saved + ", without the store "
                    + cache.fallbacks + ", retries " + client.counters().retries());
        }
    }

    private static void answer(PrefixCache cache, int[] prompt) {
        BlockChain chain = cache.chain(prompt);
        ByteBuffer memory = ByteBuffer.allocateDirect(chain.size() * BLOCK_BYTES);
        int restored = cache.restore(chain, memory);
        compute(prompt, restored, memory);
        System.out.println(prompt.length + " tokens: restored " + restored + " blocks, computed "
                + (chain.size() - restored));
        cache.save(chain, prompt, restored, memory);
    }

    /** Takes the place of the model. */
    private static void compute(int[] prompt, int from, ByteBuffer memory) {
        for (int at = from * BLOCK_BYTES; at < memory.capacity(); at++) {
            memory.put(at, (byte) prompt[at % prompt.length]);
        }
    }
}
