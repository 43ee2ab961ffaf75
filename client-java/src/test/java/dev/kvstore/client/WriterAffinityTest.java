package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WriterAffinityTest {
    // Ports are random: with so many prompts, a server gets none of them in one of 10^14 runs.
    private static final int PROMPTS = 48;
    private static final int BLOCKS = 10;

    @Test
    void aPromptIsWrittenWhereItIsLookedUp() {
        // Two servers that know nothing of each other: only the one that was written to finds anything.
        try (ScriptedServer first = new ScriptedServer(new StoringScript());
                ScriptedServer second = new ScriptedServer(new StoringScript());
                KvClient client = KvClient.builder()
                        .endpoints(Stream.of(first, second)
                                .map(ScriptedServer::endpoint)
                                .toArray(String[]::new))
                        .apiKey("kv_secret")
                        .resource("demo")
                        .build()) {
            for (int prompt = 0; prompt < PROMPTS; prompt++) {
                Tokens tokens = tokens(prompt);
                BlockChain chain = BlockChain.of(SdkBlocks.PARTITION, tokens);

                write(client, chain, tokens);

                assertThat(client.lookup(SdkBlocks.PARTITION, chain).cachedBlocks())
                        .isEqualTo(BLOCKS);
            }
            assertThat(first.credentials()).isNotEmpty();
            assertThat(second.credentials()).isNotEmpty();
        }
    }

    private static void write(KvClient client, BlockChain chain, Tokens tokens) {
        int size = SdkBlocks.PARTITION.blockTokens();
        try (BlockWriter writer = client.writer(SdkBlocks.PARTITION, chain)) {
            for (int i = 0; i < BLOCKS; i++) {
                Tokens ofBlock = Tokens.slice(tokens.toArray(), i * size, size);
                var _ = writer.write(NewBlock.of(chain, i, ofBlock, ByteBuffer.allocate(100)));
            }
            writer.finish();
        }
    }

    private static Tokens tokens(int prompt) {
        return Tokens.of(IntStream.range(0, BLOCKS * SdkBlocks.PARTITION.blockTokens())
                .map(i -> prompt * 1000 + i)
                .toArray());
    }
}
