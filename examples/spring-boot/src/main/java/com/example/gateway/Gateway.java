package com.example.gateway;

import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Answers prompts over HTTP. */
@SpringBootApplication
public class Gateway {
    private static final int BLOCK_BYTES = 64 * 1024;

    public static void main(String[] args) {
        SpringApplication.run(Gateway.class, args);
    }

    /** One for the whole application. Spring closes it after the last request. */
    @Bean
    KvClient client(@Value("${kvstore.endpoints}") String[] endpoints, @Value("${kvstore.api-key}") String key) {
        return KvClient.builder().endpoints(endpoints).apiKey(key).resource("demo").build();
    }

    @Bean
    PrefixCache cache(KvClient client, MeterRegistry meters) {
        return new PrefixCache(client, "toy/rev1/fp16", meters);
    }

    /** @param computed blocks that were not restored */
    record Answer(int tokens, int restored, int computed) {}

    @RestController
    static class Completions {
        private final PrefixCache cache;

        Completions(PrefixCache cache) {
            this.cache = cache;
        }

        @PostMapping("/complete")
        Answer complete(@RequestBody String text) {
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
    }
}
