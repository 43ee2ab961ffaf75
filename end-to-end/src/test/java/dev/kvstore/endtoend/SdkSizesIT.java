package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The SDK with buffers from the least to the largest that must work, in one message and in parts. */
@ParameterizedClass
@EnumSource(StorageKind.class)
class SdkSizesIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static LocalStack stack;

    @Parameter
    StorageKind storage = StorageKind.FILESYSTEM;

    @SuppressWarnings("NullAway.Init")
    private KvClient client;

    @BeforeParameterizedClassInvocation
    static void start(StorageKind storage) throws InterruptedException {
        stack = Stacks.start(folder.resolve(storage.toString()), storage, 1);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        stack.close();
    }

    @BeforeEach
    void connect() {
        client = Stacks.client(stack, stack.dataPlane(0).endpoint()).build();
    }

    @AfterEach
    void everythingIsGivenBack() {
        ClientCounters seen = client.counters();
        client.close();
        assertThat(seen).isEqualTo(new ClientCounters(0, 0, 0, 0, 0, "fixed", 0));
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            Metrics metrics = stack.dataPlane(0).metrics();
            double pool = metrics.sum("kvstore_memory_pool_used_bytes");
            assertThat(pool - metrics.sum("kvstore_memory_tier_used_bytes"))
                    .as("memory of blocks on their way")
                    .isZero();
            assertThat(metrics.sum("kvstore_inbound_memory_used_bytes"))
                    .as("memory of messages")
                    .isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 512, 1_200_000, 16 << 20, 64 << 20})
    void whatIsWrittenInOneMessageOrInPartsIsReadEitherWay(int bytes) {
        TestPrompt prompt = TestPrompt.unique(2);
        assertThat(cachedBlocks(prompt)).isZero();

        WriteResult unary = client.write(prompt.partition(), prompt.block(0, TestPrompt.bytes(bytes, 0)));
        assertThat(cachedBlocks(prompt)).isEqualTo(1);
        WriteResult streamed = writeStreamed(prompt, 1, TestPrompt.bytes(bytes, 1));
        assertThat(cachedBlocks(prompt)).isEqualTo(2);

        assertStored(unary, bytes);
        assertStored(streamed, bytes);
        Stacks.assertHolds(client, prompt.chain(), index -> TestPrompt.bytes(bytes, index));
        for (int i = 0; i < 2; i++) {
            try (Block block = client.readBlock(prompt.chain().location(i))) {
                Stacks.assertBytes(block, TestPrompt.bytes(bytes, i));
                assertThat(block.hash()).isEqualTo(prompt.chain().hash(i));
                assertThat(block.parent()).isEqualTo(prompt.chain().parent(i));
                assertThat(block.tokens().toArray())
                        .isEqualTo(prompt.blockTokens(i).toArray());
            }
        }
    }

    @Test
    void aSecondWriterIsToldWhetherItsBytesDiffer() {
        TestPrompt prompt = TestPrompt.unique(1);
        byte[] first = TestPrompt.bytes(1_200_000, 1);
        byte[] other = TestPrompt.bytes(1_200_000, 2);
        client.write(prompt.partition(), prompt.block(0, first));

        WriteResult same = client.write(prompt.partition(), prompt.block(0, first));
        WriteResult unary = client.write(prompt.partition(), prompt.block(0, other));
        WriteResult streamed = writeStreamed(prompt, 0, other);

        assertThat(same.outcome()).isEqualTo(WriteResult.Outcome.ALREADY_PRESENT);
        assertThat(same.differs()).isFalse();
        assertThat(unary.differs()).isTrue();
        assertThat(streamed.differs()).isTrue();
        Stacks.assertHolds(client, prompt.chain(), _ -> first);
    }

    private int cachedBlocks(TestPrompt prompt) {
        return client.lookup(prompt.partition(), prompt.chain()).cachedBlocks();
    }

    private WriteResult writeStreamed(TestPrompt prompt, int index, byte[] buffer) {
        try (BlockWriter writer = client.writer(prompt.partition())) {
            CompletableFuture<WriteResult> result = writer.write(prompt.block(index, buffer));
            writer.finish();
            return result.join();
        }
    }

    private static void assertStored(WriteResult result, int bytes) {
        assertThat(result.outcome()).isEqualTo(WriteResult.Outcome.STORED);
        assertThat(result.storedBytes()).isEqualTo(bytes);
        assertThat(result.differs()).isFalse();
    }
}
