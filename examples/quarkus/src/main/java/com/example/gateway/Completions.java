package com.example.gateway;

import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.*;
import jakarta.inject.Singleton;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Answers prompts over HTTP. */
@Path("/complete")
public class Completions {
    private static final int BLOCK_BYTES = 64 * 1024;

    private final PrefixCache cache;

    Completions(PrefixCache cache) {
        this.cache = cache;
    }

    /** @param computed blocks that were not restored */
    public record Answer(int tokens, int restored, int computed) {}

    @POST
    public Answer complete(String text) {
        int[] prompt = text.chars().toArray(); // the tokens of a toy: one a letter
        BlockChain chain = cache.chain(prompt);
        ByteBuffer memory = ByteBuffer.allocateDirect(chain.size() * BLOCK_BYTES);
        int restored = cache.restore(chain, memory);
        for (int at = restored * BLOCK_BYTES; at < memory.capacity(); at++) { // takes the place of the model
            memory.put(at, (byte) prompt[at % prompt.length]);
        }
        cache.save(chain, prompt, restored, memory);
        return new Answer(prompt.length, restored, chain.size() - restored);
    }

    /** One client for the whole application. Quarkus closes it after the last request. */
    @ApplicationScoped
    static class Store {
        @Produces
        @Singleton
        KvClient client(
                @ConfigProperty(name = "kvstore.endpoints") List<String> endpoints,
                @ConfigProperty(name = "kvstore.api-key") String key) {
            String[] processes = endpoints.toArray(String[]::new);
            return KvClient.builder().endpoints(processes).apiKey(key).resource("demo").build();
        }

        void close(@Disposes KvClient client) {
            client.close();
        }

        @Produces
        @Singleton
        PrefixCache cache(KvClient client, MeterRegistry meters) {
            return new PrefixCache(client, "toy/rev1/fp16", meters);
        }
    }
}
