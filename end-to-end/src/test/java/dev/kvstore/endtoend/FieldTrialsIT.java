package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trials of {@code docs/operations/field-notes.md} that need real processes; each prints its figures. */
@Tag("full")
final class FieldTrialsIT {
    private static final int MIB = 1 << 20;
    private static final Executor THREADS = Thread::startVirtualThread;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @ParameterizedTest
    @CsvSource({"100, 0", "30, 100"})
    void everyColdBlockOfManyStreamsIsRead(int streams, int milliseconds) throws Exception {
        int blocks = 200;
        try (LocalStack stack = start(StorageKind.AZURITE, Duration.ofMillis(milliseconds));
                KvClient client = client(stack).build()) {
            List<TestPrompt> prompts = IntStream.range(0, streams)
                    .mapToObj(_ -> TestPrompt.unique(blocks))
                    .toList();
            long stored = prompts.stream()
                    .flatMap(prompt -> write(client, prompt, 4096).stream())
                    .filter(result -> result.join().outcome() == WriteResult.Outcome.STORED)
                    .count();
            stack.dataPlane(0).restart();

            long began = System.nanoTime();
            List<CompletableFuture<Integer>> reads = prompts.stream()
                    .map(prompt -> CompletableFuture.supplyAsync(() -> found(client, prompt), THREADS))
                    .toList();
            int found = reads.stream().mapToInt(CompletableFuture::join).sum();

            print("%d streams of %d cold blocks of 4 KiB, storage %d ms: %,d stored, %,d read, %.1f s"
                    .formatted(streams, blocks, milliseconds, stored, found, seconds(began)));
            assertThat(stored).isEqualTo((long) streams * blocks);
            assertThat(found).isEqualTo(streams * blocks);
        }
    }

    @Test
    void aReaderAloneGetsLongBlocksThatAreCold() throws Exception {
        int blocks = 12;
        try (LocalStack stack = start(StorageKind.FILESYSTEM, Duration.ZERO);
                KvClient client = client(stack).build()) {
            TestPrompt prompt = TestPrompt.unique(blocks);
            for (int i = 0; i < blocks; i++) {
                client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(64 * MIB, i)));
            }
            stack.dataPlane(0).restart();

            int found = found(client, prompt);

            print("%d cold blocks of 64 MiB with the memory of kv up: %d read".formatted(blocks, found));
            assertThat(found).isEqualTo(blocks);
        }
    }

    @Test
    void aReaderOfBlocksInMemoryDoesNotWaitForLoadsWhoseCallersLeft() throws Exception {
        try (LocalStack stack = start(StorageKind.AZURITE, Duration.ofSeconds(2));
                KvClient client = client(stack).build();
                KvClient hurried =
                        client(stack).deadline(Duration.ofMillis(300)).build()) {
            TestPrompt hot = TestPrompt.unique(4);
            write(client, hot, MIB).forEach(CompletableFuture::join);
            List<TestPrompt> cold =
                    IntStream.range(0, 50).mapToObj(_ -> TestPrompt.unique(200)).toList();
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Void>> callers = cold.stream()
                    .map(prompt -> CompletableFuture.runAsync(() -> leave(hurried, prompt, over), THREADS))
                    .toList();

            double[] milliseconds = new double[300];
            for (int i = 0; i < milliseconds.length; i++) {
                long began = System.nanoTime();
                assertThat(found(client, hot)).isEqualTo(4);
                milliseconds[i] = 1000 * seconds(began);
            }
            over.set(true);
            callers.forEach(CompletableFuture::join);

            Arrays.sort(milliseconds);
            print(("a reader of 4 blocks of 1 MiB beside 50 callers with deadlines of 300 ms, storage 2 s: "
                            + "median %.0f ms, p99 %.0f ms")
                    .formatted(milliseconds[150], milliseconds[297]));
            assertThat(milliseconds[297]).isLessThan(2000);
        }
    }

    @Test
    void aProcessThatIsToldToEndClosesTheLogsOfThousandsOfPartitions() throws Exception {
        int partitions = 5000;
        try (LocalStack stack = start(StorageKind.FILESYSTEM, Duration.ZERO);
                KvClient client = client(stack).build()) {
            List<TestPrompt> prompts = IntStream.range(0, partitions)
                    .mapToObj(_ -> TestPrompt.unique(1))
                    .toList();
            inParallel(prompts, prompt -> {
                client.write(prompt.partition(), prompt.block(0, TestPrompt.bytes(1000, 1)));
                return 1;
            });

            long began = System.nanoTime();
            stack.dataPlane(0).restart();
            double restart = seconds(began);
            int found = inParallel(
                    prompts,
                    prompt -> client.lookup(prompt.partition(), prompt.chain()).cachedBlocks());
            double rebuilds = stack.dataPlane(0).metrics().sum("kvstore_presence_rebuilds_total");

            print("%,d partitions written, then a restart of %.1f s: %,.0f listings, %,d found"
                    .formatted(partitions, restart, rebuilds, found));
            assertThat(found).isEqualTo(partitions);
            assertThat(rebuilds).isZero();
        }
    }

    private static int inParallel(List<TestPrompt> prompts, ToIntFunction<TestPrompt> work) {
        int threads = 32;
        IntFunction<CompletableFuture<Integer>> part = thread -> CompletableFuture.supplyAsync(
                () -> IntStream.range(0, prompts.size())
                        .filter(i -> i % threads == thread)
                        .map(i -> work.applyAsInt(prompts.get(i)))
                        .sum(),
                THREADS);
        List<CompletableFuture<Integer>> parts =
                IntStream.range(0, threads).mapToObj(part).toList();
        return parts.stream().mapToInt(CompletableFuture::join).sum();
    }

    private static void leave(KvClient client, TestPrompt prompt, AtomicBoolean over) {
        while (!over.get()) {
            try {
                found(client, prompt);
            } catch (KvStoreException e) {
                // The deadline is over.
            }
        }
    }

    private static List<CompletableFuture<WriteResult>> write(KvClient client, TestPrompt prompt, int bytes) {
        List<CompletableFuture<WriteResult>> results = new ArrayList<>();
        try (BlockWriter writer = client.writer(prompt.partition())) {
            for (int i = 0; i < prompt.chain().size(); i++) {
                results.add(writer.write(prompt.block(i, TestPrompt.bytes(bytes, i))));
            }
            writer.finish();
        }
        return results;
    }

    private static int found(KvClient client, TestPrompt prompt) {
        int found = 0;
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                if (result instanceof BlockResult.Found(var block)) {
                    block.close();
                    found++;
                }
            }
        }
        return found;
    }

    private LocalStack start(StorageKind storage, Duration get) throws InterruptedException {
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder)
                .withStorage(storage)
                .withDataPlanes(1)
                .withStorageLatency(new StorageLatency(get, Duration.ZERO));
        return LocalStack.start(options, new SecureRandom());
    }

    /** A client whose calls wait for the slow storage of a busy machine. */
    private static KvClientBuilder client(LocalStack stack) {
        return Stacks.client(stack, stack.dataPlane(0).endpoint()).deadline(Duration.ofMinutes(10));
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static void print(String figures) {
        System.out.println("trial: " + figures);
    }
}
