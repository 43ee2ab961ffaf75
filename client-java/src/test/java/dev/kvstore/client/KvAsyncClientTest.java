package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class KvAsyncClientTest {
    private final ScriptedServer server = new ScriptedServer(new StoringScript());
    private final KvAsyncClient client;

    KvAsyncClientTest(TransportOptions.Stack stack) {
        client = KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey("kv_test")
                .resource("demo")
                .transport(TransportOptions.DEFAULT.withStack(stack))
                .buildAsync();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void whatIsWrittenIsFoundAndPublishedInOrder() {
        BlockChain chain = SdkBlocks.chain(5);
        for (int i = 0; i < 5; i++) {
            assertThat(client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, i, 5000)))
                    .succeedsWithin(Patience.LIMIT);
        }
        assertThat(client.lookup(SdkBlocks.PARTITION, chain))
                .succeedsWithin(Patience.LIMIT)
                .isEqualTo(new Prefix(5, chain.hash(4)));
        OneByOne subscriber = new OneByOne();
        client.read(chain).subscribe(subscriber);
        assertThat(subscriber.indices).succeedsWithin(Patience.LIMIT).isEqualTo(List.of(0, 1, 2, 3, 4));
    }

    @Test
    void failuresEndTheFuture() {
        assertThat(client.readBlock(SdkBlocks.chain(1).location(0)))
                .failsWithin(Patience.LIMIT)
                .withThrowableThat()
                .withMessageContaining("NOT_FOUND");
    }

    private static final class OneByOne implements Flow.Subscriber<BlockResult> {
        private final CompletableFuture<List<Integer>> indices = new CompletableFuture<>();
        private final List<Integer> seen = new ArrayList<>();
        private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription.set(subscription);
            subscription.request(1);
        }

        @Override
        public void onNext(BlockResult result) {
            ((BlockResult.Found) result).block().close();
            seen.add(result.index());
            Flow.Subscription active = subscription.get();
            if (active != null) {
                active.request(1);
            }
        }

        @Override
        public void onError(Throwable reason) {
            indices.completeExceptionally(reason);
        }

        @Override
        public void onComplete() {
            indices.complete(seen);
        }
    }
}
