package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.client.internal.http2.TrappingChannels;
import dev.kvstore.client.internal.session.Session;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Applications that write, read, pause, cancel, time out, close early and close from other threads, at servers in every
 * mood, in memory that traps whoever uses it after it was given back. Whatever happens: every operation ends, every
 * future completes, nobody is trapped, nothing stays held, healthy blocks count no damage, and the client serves on.
 */
@Tag("slow")
class StreamLifecycleTest {
    private static final int APPLICATIONS = 8;
    private static final int OPERATIONS = 80;
    private static final int BLOCKS = 12;

    private final BlockChain chain = SdkBlocks.chain(BLOCKS);
    private final Map<ByteString, PromptChunk> blocks = new HashMap<>();

    StreamLifecycleTest() {
        for (int i = 0; i < BLOCKS; i++) {
            blocks.put(WireNames.field(chain.hash(i)), SdkBlocks.chunk(chain, i, RandomApplication.bytes(i)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverApplicationsAndServersDoNobodyUsesMemoryThatWasGivenBack(long seed) throws Exception {
        run(seed, false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void andNeitherWhereMemoryRunsOutFromTimeToTime(long seed) throws Exception {
        run(seed, true);
    }

    private void run(long seed, boolean exhausted) throws Exception {
        try (MoodyServer first = new MoodyServer(blocks, seed);
                MoodyServer second = new MoodyServer(blocks, seed + 1000);
                TrappingChannels channels = new TrappingChannels()) {
            ApplicationFaults faults = new ApplicationFaults(exhausted);
            ClientOptions options = options(first, second);
            try (Session session =
                    new Session(options, new Channels(options, address -> channels.to(address.port())))) {
                if (exhausted) {
                    channels.memory().fail(number -> Long.hashCode(number * 0x9E3779B97F4A7C15L) % 150 == 0);
                }
                List<CompletableFuture<Void>> ends = new ArrayList<>();
                for (int i = 0; i < APPLICATIONS; i++) {
                    RandomApplication application = new RandomApplication(session, chain, seed * 100 + i, faults);
                    ends.add(CompletableFuture.runAsync(() -> application.run(OPERATIONS), Thread::startVirtualThread));
                }
                for (CompletableFuture<Void> end : ends) {
                    assertThat(end).as("the operations of seed %s end", seed).succeedsWithin(Patience.LIMIT);
                }
                channels.memory().fail(number -> false);
                Stream.of(first, second).forEach(MoodyServer::calmDown);
                await("the client serves on").until(() -> serves(session));
                await("no call is counted any more").until(() -> session.underWay() == 0);
                await("no read has a share any more").until(() -> session.readMemory() == 0);
                assertThat(session.counters().damagedBlocks()).isZero();
            }
            assertThat(faults.found()).as("seed %s", seed).isEmpty();
            await("all memory is given back").until(() -> channels.memory().held() == 0);
        }
    }

    private boolean serves(Session session) {
        try {
            return session.lookup(SdkBlocks.PARTITION, chain, CallOptions.DEFAULT)
                            .cachedBlocks()
                    == BLOCKS;
        } catch (dev.kvstore.client.KvStoreException e) {
            return false;
        }
    }

    private static ClientOptions options(MoodyServer... servers) {
        return new ClientOptions(
                Stream.of(servers).map(server -> "127.0.0.1:" + server.port()).toList(),
                List.of(),
                "",
                null,
                Duration.ZERO,
                "kv_test",
                "demo",
                Duration.ofSeconds(10),
                1,
                32 * 1024,
                128 * 1024,
                64 * 1024 * 1024,
                1_000_000,
                1000,
                new RetryOptions(3, Duration.ofMillis(1), Duration.ofMillis(5), 100, 1000),
                TransportOptions.DEFAULT,
                List.of(),
                false,
                false,
                null,
                null);
    }
}
