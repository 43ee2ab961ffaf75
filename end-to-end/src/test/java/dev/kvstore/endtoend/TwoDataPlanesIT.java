package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two data planes over one storage: what one acknowledged is everybody's, whatever becomes of the processes. */
@ParameterizedClass
@EnumSource(StorageKind.class)
record TwoDataPlanesIT(StorageKind storage) {
    private static final int BLOCK_BYTES = 300_000;
    /** Design's bound for a block to be seen by every other process. */
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static LocalStack stack;

    @BeforeParameterizedClassInvocation
    static void start(StorageKind storage) throws InterruptedException {
        stack = Stacks.start(folder.resolve(storage.toString()), storage, 2);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        stack.close();
    }

    @Test
    void eachServesWhatTheOtherWrote() {
        for (int writer = 0; writer < 2; writer++) {
            TestPrompt prompt = TestPrompt.unique(4);
            write(writer, prompt);

            try (KvClient other = client(1 - writer)) {
                Stacks.assertHolds(other, prompt.chain(), TwoDataPlanesIT::buffer);
                await().atMost(VISIBLE_WITHIN).untilAsserted(() -> assertAllCached(other, prompt));
            }
        }
    }

    @Test
    void everythingIsStillThereAfterBothWereRestarted() throws InterruptedException {
        TestPrompt prompt = TestPrompt.unique(8);
        write(0, prompt);

        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            dataPlane.restart();
        }

        for (int reader = 0; reader < 2; reader++) {
            try (KvClient client = client(reader)) {
                assertAllCached(client, prompt);
                Stacks.assertHolds(client, prompt.chain(), TwoDataPlanesIT::buffer);
            }
        }
    }

    @Test
    void everyAcknowledgedBlockIsThereAfterBothWereKilledInTheMiddleOfAStream() throws InterruptedException {
        TestPrompt prompt = TestPrompt.unique(1_000);
        Map<Integer, WriteResult> acknowledged = new ConcurrentHashMap<>();
        try (KvClient client = Stacks.client(stack, stack.endpoints().toArray(String[]::new))
                .writeWindowBytes(8 * BLOCK_BYTES)
                .build()) {
            BlockWriter writer = client.writer(prompt.partition());
            Thread writing = Thread.ofVirtual().start(() -> writeUntilClosed(writer, prompt, acknowledged));
            await().until(() -> acknowledged.size() >= 20);

            stack.dataPlanes().parallelStream().forEach(StackDataPlane::kill);

            writer.close();
            writing.join();
        }
        assertThat(acknowledged).hasSizeBetween(20, prompt.chain().size() - 1);

        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            dataPlane.startAgain();
        }
        int reader = 0;
        for (Map.Entry<Integer, WriteResult> block : acknowledged.entrySet()) {
            try (KvClient client = client(reader++ % 2);
                    var read = client.readBlock(block.getValue().location())) {
                assertThat(read.hash()).isEqualTo(prompt.chain().hash(block.getKey()));
                Stacks.assertBytes(read, buffer(block.getKey()));
            }
        }
    }

    private static void writeUntilClosed(
            BlockWriter writer, TestPrompt prompt, Map<Integer, WriteResult> acknowledged) {
        try {
            for (int i = 0; i < prompt.chain().size(); i++) {
                int index = i;
                var _ = writer.write(prompt.block(i, buffer(i))).thenAccept(result -> acknowledged.put(index, result));
            }
        } catch (IllegalStateException | KvStoreException closed) {
            assertThat(acknowledged).isNotEmpty();
        }
    }

    private static void write(int dataPlane, TestPrompt prompt) {
        try (KvClient client = client(dataPlane);
                BlockWriter writer = client.writer(prompt.partition())) {
            List<CompletableFuture<WriteResult>> results = new ArrayList<>();
            for (int i = 0; i < prompt.chain().size(); i++) {
                results.add(writer.write(prompt.block(i, buffer(i))));
            }
            writer.finish();
            assertThat(results)
                    .allSatisfy(result -> assertThat(result.join().outcome()).isEqualTo(WriteResult.Outcome.STORED));
        }
    }

    private static void assertAllCached(KvClient client, TestPrompt prompt) {
        assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                .isEqualTo(prompt.chain().size());
    }

    private static byte[] buffer(int index) {
        return TestPrompt.bytes(BLOCK_BYTES + index, index);
    }

    private static KvClient client(int dataPlane) {
        return Stacks.client(stack, stack.dataPlane(dataPlane).endpoint()).build();
    }
}
