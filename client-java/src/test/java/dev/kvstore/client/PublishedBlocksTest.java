package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The signals of a read that is published: their end, and the thread that brings them. */
class PublishedBlocksTest {
    private static final int BLOCKS = 3;

    private final BlockChain chain = SdkBlocks.chain(BLOCKS);
    private final ScriptedServer server = new ScriptedServer(new StoringScript());
    private final KvAsyncClient client = KvClient.builder()
            .endpoints(server.endpoint())
            .apiKey("kv_test")
            .resource("demo")
            .maxAsyncCalls(1)
            .buildAsync();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** Asks for so many blocks, and never again. */
    private static class Asking implements Flow.Subscriber<BlockResult> {
        private final long blocks;
        final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        final List<Integer> seen = new ArrayList<>();
        final CompletableFuture<List<Integer>> end = new CompletableFuture<>();

        Asking(long blocks) {
            this.blocks = blocks;
        }

        @Override
        public void onSubscribe(Flow.Subscription its) {
            subscription.complete(its);
            if (blocks > 0) {
                its.request(blocks);
            }
        }

        @Override
        public void onNext(BlockResult result) {
            seen.add(result.index());
        }

        @Override
        public void onError(Throwable reason) {
            end.completeExceptionally(reason);
        }

        @Override
        public void onComplete() {
            end.complete(seen);
        }
    }

    @Test
    void aSubscriberThatAsksForExactlyTheBlocksHearsTheEnd() {
        Asking exact = new Asking(BLOCKS);

        client.read(chain).subscribe(exact);

        assertThat(exact.end).succeedsWithin(Patience.LIMIT).isEqualTo(List.of(0, 1, 2));
        assertThat(client.lookup(SdkBlocks.PARTITION, chain))
                .as("a call in the only place, which the read has left")
                .succeedsWithin(Patience.LIMIT);
    }

    @Test
    void aSubscriberThatAsksForNothingMoreHearsThatTheDeadlineHasPassed() {
        Asking paused = new Asking(0);
        CallOptions hurry = CallOptions.DEFAULT.withDeadline(Duration.ofMillis(300));

        client.read(List.of(chain.location(0)), hurry).subscribe(paused);

        assertThat(paused.end)
                .failsWithin(Patience.LIMIT)
                .withThrowableThat()
                .withMessageContaining("DEADLINE_EXCEEDED");
    }

    @Test
    void aSubscriberThatAsksForNothingMoreHearsThatTheClientIsClosed() {
        Asking paused = new Asking(0);
        client.read(chain).subscribe(paused);
        assertThat(paused.subscription).succeedsWithin(Patience.LIMIT);

        client.close();

        assertThat(paused.end)
                .failsWithin(Patience.LIMIT)
                .withThrowableThat()
                .withMessageContaining("CANCELLED: the client is closed");
    }

    @Test
    void cancellingLeavesTheSubscribersOwnCodeInPeace() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<String> waiting = new CompletableFuture<>();
        Asking busy = new Asking(BLOCKS) {
            @Override
            public void onNext(BlockResult result) {
                begun.countDown();
                try {
                    cancelled.await();
                    waiting.complete(Thread.currentThread().isInterrupted() ? "marked" : "undisturbed");
                } catch (InterruptedException e) {
                    waiting.complete("interrupted");
                }
            }
        };
        client.read(chain).subscribe(busy);
        begun.await();

        busy.subscription.join().cancel();
        cancelled.countDown();

        assertThat(waiting).succeedsWithin(Patience.LIMIT).isEqualTo("undisturbed");
    }
}
