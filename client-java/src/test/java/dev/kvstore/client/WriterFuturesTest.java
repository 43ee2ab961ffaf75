package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.testing.Patience;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The calls that an application may make in code that runs when futures complete. */
class WriterFuturesTest {
    private static final int BLOCKS = 40;
    private static final int BYTES = 1000;

    @Test
    void whatHangsOnAFutureMayWriteTheNextBlock() {
        BlockChain chain = SdkBlocks.chain(BLOCKS);
        try (ScriptedServer server = new ScriptedServer(new StoringScript());
                KvClient client = builder(server).writeWindowBytes(BYTES).build();
                BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            assertThat(writeFrom(0, chain, writer)).succeedsWithin(Patience.LIMIT);
        }
    }

    private static CompletableFuture<WriteResult> writeFrom(int index, BlockChain chain, BlockWriter writer) {
        CompletableFuture<WriteResult> written = writer.write(SdkBlocks.newBlock(chain, index, BYTES));
        return index + 1 == chain.size() ? written : written.thenCompose(result -> writeFrom(index + 1, chain, writer));
    }

    @Test
    void whatHangsOnAFutureMayFinishTheWriter() {
        BlockChain chain = SdkBlocks.chain(2);
        try (ScriptedServer server = new ScriptedServer(new StoringScript());
                KvClient client = builder(server).build();
                BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            CompletableFuture<WriteResult> first = writer.write(SdkBlocks.newBlock(chain, 0, BYTES));
            CompletableFuture<WriteResult> second = writer.write(SdkBlocks.newBlock(chain, 1, BYTES));
            CompletableFuture<Void> finished = first.thenAccept(result -> writer.finish());

            assertThat(finished).succeedsWithin(Patience.LIMIT);
            assertThat(second).isCompleted();
        }
    }

    @Test
    void whatHangsOnAnOperationCountsItNoMore() {
        BlockChain chain = SdkBlocks.chain(1);
        try (ScriptedServer server = new ScriptedServer(new StoringScript());
                KvAsyncClient client = builder(server).maxAsyncCalls(1).buildAsync()) {
            CompletableFuture<Prefix> twice = client.lookup(SdkBlocks.PARTITION, chain)
                    .thenCompose(prefix -> client.lookup(SdkBlocks.PARTITION, chain));

            assertThat(twice).succeedsWithin(Patience.LIMIT);
        }
    }

    private static KvClientBuilder builder(ScriptedServer server) {
        return KvClient.builder().endpoints(server.endpoint()).apiKey("kv_test").resource("demo");
    }
}
