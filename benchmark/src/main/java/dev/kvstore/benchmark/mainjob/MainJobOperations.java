package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.StorageKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The operations that are measured over one storage. For one thread. */
final class MainJobOperations {
    static final String COLD_READ = "streaming read, cold";

    private static final int LOOKUP_BLOCKS = 1_000;
    private static final int SMALL_BLOCK_BYTES = 512;
    private static final int PROMPT_BLOCKS = 64;
    private static final int HOT_PROMPTS = 2;
    // Times the data plane's memory for blocks: each is gone before it is asked for again.
    private static final double COLD = 1.4;
    private static final long MOST_WRITTEN_BYTES = 2_000_000_000;

    private final MainJobOptions options;
    private final StorageKind storage;
    private final KvClient client;
    private final BenchFolder folder;
    private final double tierBytes;
    private final boolean all;

    /**
     * Operations of a client.
     *
     * @param tierBytes the data plane's memory for blocks
     */
    MainJobOperations(
            MainJobOptions options, StorageKind storage, KvClient client, BenchFolder folder, double tierBytes) {
        this.options = options;
        this.storage = storage;
        this.client = client;
        this.folder = folder;
        this.tierBytes = tierBytes;
        this.all = storage == options.storages().getFirst();
    }

    /** The operations, with all that they read stored. */
    List<MainJobOperation> all() throws InterruptedException {
        List<MainJobOperation> operations = new ArrayList<>();
        if (all) {
            hot(operations);
        }
        operations.add(new MainJobLookups.MissingPrompts(client, LOOKUP_BLOCKS, new AtomicLong()));
        if (options.cold() && isWanted(COLD_READ)) {
            int prompts = (int) Math.ceil(COLD * tierBytes / options.blockBytes() / PROMPT_BLOCKS);
            StoredPrompts stock =
                    StoredPrompts.write(client, "bench/cold", prompts, PROMPT_BLOCKS, options.blockBytes());
            operations.add(new MainJobReads.Streaming(
                    COLD_READ, MainJobOperation.ResultUnit.MEGABYTES, client, stock, false, new AtomicLong()));
        }
        operations.add(writes(false));
        operations.add(writes(true));
        List<MainJobOperation> wanted = operations.stream()
                .filter(operation -> isWanted(operation.name()))
                .toList();
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException("--only: no operation over " + storage + " storage has \""
                    + options.only() + "\" in its name; there are "
                    + operations.stream().map(MainJobOperation::name).toList());
        }
        return wanted;
    }

    /** Operations that are answered from memory, whatever the storage. */
    private void hot(List<MainJobOperation> operations) throws InterruptedException {
        StoredPrompts small = StoredPrompts.write(client, "bench/small", 1, LOOKUP_BLOCKS, SMALL_BLOCK_BYTES);
        StoredPrompts hot = StoredPrompts.write(client, "bench/hot", HOT_PROMPTS, PROMPT_BLOCKS, options.blockBytes());
        operations.add(new MainJobLookups.KnownPrompts(client, small.prompts().getFirst()));
        operations.add(new MainJobReads.Unary(client, hot, new AtomicLong()));
        operations.add(new MainJobReads.Streaming(
                "streaming read, hot", MainJobOperation.ResultUnit.MEGABYTES, client, hot, true, new AtomicLong()));
        operations.add(new MainJobReads.Streaming(
                "streaming read, 512 B", MainJobOperation.ResultUnit.BLOCKS, client, small, true, new AtomicLong()));
    }

    /** A folder is emptied after each measurement; what Azurite has on disk stays until the end, so it gets less. */
    private MainJobWrites writes(boolean streaming) {
        boolean emptied = storage == StorageKind.FILESYSTEM;
        long bound = emptied ? MOST_WRITTEN_BYTES : MOST_WRITTEN_BYTES / (options.measurements() + 1);
        return new MainJobWrites(streaming, client, options.blockBytes(), bound, partition -> {
            if (emptied) {
                StoredBlocks.putAside(
                        folder.path().resolve("storage"),
                        partition,
                        folder.path().resolve("aside"));
            }
        });
    }

    private boolean isWanted(String name) {
        return name.contains(options.only());
    }
}
