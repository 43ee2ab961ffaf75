package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A container that its owner deletes and creates again under two processes, which nobody restarts. */
@Tag("full")
final class ContainerMadeAnewIT {
    private static final int BLOCK_BYTES = 4_000;

    /** Until another process sees a block. */
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);

    /** Until no Lookup counts a block of the deleted container: 30 s and a listing, here of an empty container. */
    private static final Duration FORGOTTEN_WITHIN = Duration.ofSeconds(40);

    /** Until a Write reads the descriptor again, and time for the writing. */
    private static final Duration DESCRIBED_WITHIN = Duration.ofSeconds(75);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    /** @param logged whether the log in storage has the blocks when the container is deleted */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void runningProcessesForgetItsBlocksAndWriteTheirFilesAnew(boolean logged) throws Exception {
        try (LocalStack stack = Stacks.start(folder, StorageKind.AZURITE, 2);
                AzuriteContainer container = AzuriteContainer.of(folder);
                KvClient writer = client(stack, 0);
                KvClient reader = client(stack, 1)) {
            TestPrompt before = TestPrompt.unique(8);
            String files = "kv/v1/" + before.partition().root().hex() + "/";
            write(writer, before);
            if (logged) {
                awaitFound(reader, before, 8, VISIBLE_WITHIN);
            }
            assertThat(found(writer, before)).isEqualTo(8);
            Set<Long> processes = processes();

            container.makeAnew();

            awaitFound(writer, before, 0, FORGOTTEN_WITHIN);
            awaitFound(reader, before, 0, FORGOTTEN_WITHIN);

            TestPrompt after = another(before.partition(), 1);
            write(writer, after);
            awaitFound(reader, after, after.chain().size(), VISIBLE_WITHIN);
            await().atMost(VISIBLE_WITHIN).until(() -> container.exists(files + "presence/snapshot"));
            int[] seed = {2};
            await().atMost(DESCRIBED_WITHIN).pollInterval(Duration.ofSeconds(2)).until(() -> {
                write(writer, another(before.partition(), seed[0]++));
                return container.exists(files + "partition.json");
            });
            assertThat(processes()).isEqualTo(processes);
        }
    }

    private static TestPrompt another(Partition partition, int seed) {
        Tokens tokens = Tokens.of(IntStream.range(0, 4 * partition.blockTokens())
                .map(i -> i + 1_000_000 * seed)
                .toArray());
        return new TestPrompt(partition, tokens, BlockChain.of(partition, tokens));
    }

    private static void awaitFound(KvClient client, TestPrompt prompt, int blocks, Duration within) {
        await().atMost(within)
                .untilAsserted(() -> assertThat(found(client, prompt)).isEqualTo(blocks));
    }

    private static int found(KvClient client, TestPrompt prompt) {
        return client.lookup(prompt.partition(), prompt.chain()).cachedBlocks();
    }

    private static void write(KvClient client, TestPrompt prompt) {
        List<CompletableFuture<WriteResult>> results = new ArrayList<>();
        try (BlockWriter writer = client.writer(prompt.partition())) {
            for (int i = 0; i < prompt.chain().size(); i++) {
                results.add(writer.write(prompt.block(i, TestPrompt.bytes(BLOCK_BYTES, i))));
            }
            writer.finish();
        }
        assertThat(results)
                .allSatisfy(result -> assertThat(result.join().outcome()).isEqualTo(WriteResult.Outcome.STORED));
    }

    /** The data planes and Azurite are children of this one. */
    private static Set<Long> processes() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private static KvClient client(LocalStack stack, int dataPlane) {
        return Stacks.client(stack, stack.dataPlane(dataPlane).endpoint()).build();
    }
}
