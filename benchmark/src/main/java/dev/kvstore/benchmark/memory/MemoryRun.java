package dev.kvstore.benchmark.memory;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs data planes with few and with many tenants and blocks, and measures the memory that they take. For one thread.
 */
final class MemoryRun {
    static final int CHAIN = 1_000;
    private static final int BLOCK_BYTES = 512;
    private static final Partition PARTITION = Partition.of("memory", 16);

    // Presence closes its logs 10 s after the last block, threads of a store end after 30 s.
    private static final int SECONDS_UNTIL_IDLE = 45;

    private final Home home;
    private final int tenants;
    private final int prompts;
    private final RandomGenerator random;
    private final Consumer<String> progress;

    MemoryRun(Home home, int tenants, int prompts, RandomGenerator random, Consumer<String> progress) {
        this.home = home;
        this.tenants = tenants;
        this.prompts = prompts;
        this.random = random;
        this.progress = progress;
    }

    MemoryReport run() throws IOException, InterruptedException {
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-memory-")) {
            List<ApiKey> keys = IntStream.range(0, tenants)
                    .mapToObj(_ -> ApiKey.generate(random))
                    .toList();
            Path log = folder.path().resolve("log");
            progress.accept("one tenant, " + prompts * CHAIN + " blocks");
            long empty;
            long full;
            long offHeap;
            try (MemoryServer server =
                    MemoryServer.start(home, accounts(folder.path(), keys.subList(0, 1)), log, random)) {
                warm(server, keys.getFirst());
                empty = server.heapBytes();
                long offHeapBefore = server.offHeapBytes();
                write(server, keys.getFirst());
                full = server.heapBytes();
                offHeap = server.offHeapBytes() - offHeapBefore;
            }
            progress.accept(tenants + " tenants");
            long known;
            long idle;
            try (MemoryServer server = MemoryServer.start(home, accounts(folder.path(), keys), log, random)) {
                warm(server, keys.getFirst());
                known = server.heapBytes();
                for (int i = 1; i < tenants; i++) {
                    use(server, i, keys.get(i));
                }
                TimeUnit.SECONDS.sleep(SECONDS_UNTIL_IDLE);
                idle = server.heapBytes();
            }
            int others = tenants - 1;
            return new MemoryReport(
                    tenants,
                    prompts * CHAIN,
                    BLOCK_BYTES,
                    empty,
                    (double) (known - empty) / others,
                    (double) (idle - known) / others,
                    (double) (full - empty) / prompts / CHAIN,
                    (double) offHeap / prompts / CHAIN);
        }
    }

    private static String resource(int tenant) {
        return "tenant-" + tenant;
    }

    private static Path accounts(Path folder, List<ApiKey> keys) throws IOException {
        String tenants = IntStream.range(0, keys.size())
                .mapToObj(i ->
                        """
                        {"name": "%1$s", "keys": [{"id": "%2$s", "sha256": "%3$s"}], "accounts": [
                         {"resourceName": "%1$s", "storage": {"type": "filesystem", "path": "%4$s"}}]}""".formatted(resource(i), keys.get(i).id(), keys.get(i).sha256(), folder.resolve(resource(i))))
                .collect(Collectors.joining(",\n"));
        return Files.writeString(folder.resolve("accounts.json"), "{\"tenants\": [" + tenants + "]}");
    }

    /** Makes the first call, which loads classes and allocates buffers of the network. */
    private static void warm(MemoryServer server, ApiKey key) {
        use(server, 0, key);
    }

    private static void use(MemoryServer server, int tenant, ApiKey key) {
        Prompt prompt = Prompt.of(PARTITION, 1_000_000L + tenant, 1);
        try (KvClient client = server.client(resource(tenant), key.text())) {
            client.write(PARTITION, block(prompt, 0));
            if (client.lookup(PARTITION, prompt.chain()).cachedBlocks() != 1) {
                throw new IllegalStateException("a block that was just written is not counted");
            }
        }
    }

    private void write(MemoryServer server, ApiKey key) {
        try (KvClient client = server.client(resource(0), key.text())) {
            for (int number = 0; number < prompts; number++) {
                Prompt prompt = Prompt.of(PARTITION, number, CHAIN);
                List<CompletableFuture<?>> acknowledgements = new ArrayList<>();
                try (BlockWriter writer = client.writer(PARTITION)) {
                    for (int i = 0; i < CHAIN; i++) {
                        acknowledgements.add(writer.write(block(prompt, i)));
                    }
                    writer.finish();
                }
                acknowledgements.forEach(CompletableFuture::join);
            }
        }
    }

    private static NewBlock block(Prompt prompt, int index) {
        ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
        Payload.fill(prompt.chain().hash(index), buffer);
        return NewBlock.of(prompt.chain(), index, prompt.block(index), buffer);
    }
}
