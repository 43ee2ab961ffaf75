package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.testing.Patience;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls that are open and wait for nothing. */
class IdleCallsTest {
    private final BlockChain chain = SdkBlocks.chain(1);

    /** Answers lookups, from some time on only after the third question about its health. */
    private static final class Slow extends StoringScript {
        private final CountDownLatch asked = new CountDownLatch(3);
        private volatile boolean slow;

        @Override
        public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
            if (!slow) {
                super.lookup(request, answer);
                return;
            }
            Thread.startVirtualThread(() -> {
                try {
                    asked.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.lookup(request, answer);
            });
        }
    }

    @Test
    void aWriterWithoutBlocksUnderWayAndAReadThatIsNotReadAskNothingOfTheirDataPlane() {
        AtomicInteger questions = new AtomicInteger();
        Slow script = new Slow();
        try (ScriptedServer idle = ScriptedServer.healthy(new StoringScript(), questions::incrementAndGet);
                ScriptedServer slow = ScriptedServer.healthy(script, script.asked::countDown);
                KvClient client = KvClient.builder()
                        .endpoints(idle.endpoint(), slow.endpoint())
                        .apiKey("kv_test")
                        .resource("demo")
                        .serverStallTimeout(Duration.ofMillis(400))
                        .build()) {
            CallOptions toIdle = CallOptions.DEFAULT.withAffinity(BrokenServerTest.affinityTo(idle, client));
            CallOptions toSlow = CallOptions.DEFAULT.withAffinity(BrokenServerTest.affinityTo(slow, client));
            try (BlockWriter writer = client.writer(SdkBlocks.PARTITION, toIdle);
                    BlockStream unread = client.read(chain, toIdle)) {
                assertThat(writer.write(SdkBlocks.newBlock(chain, 0, 1000))).succeedsWithin(Patience.LIMIT);

                script.slow = true; // its data plane is looked at as often as the idle one
                client.lookup(SdkBlocks.PARTITION, chain, toSlow);

                assertThat(questions).as("of the idle data plane").hasValue(0);
                assertThat(unread.next()).isNotNull();
            }
        }
    }
}
