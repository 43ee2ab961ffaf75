package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.ComputedPrompts;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobReads;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How long a data plane takes from the start of its process to ready, and what memory it takes beyond its blocks. */
final class StartTrial {
    static final String EMPTY = "ready, nothing stored";
    static final String WITHOUT_CACHE = "ready, nothing stored, without its AOT cache";
    static final String LEFT = "ready, blocks left on its disk";
    static final String KNOWN = "until it knows those blocks";
    static final String BEYOND = "resident beyond the blocks it keeps";
    static final String RESIDENT = "resident";
    static final int CLIENTS = 8;

    private static final int LEFT_PROMPT_BLOCKS = 500;
    private static final int LEFT_BLOCK_BYTES = 64 << 10;
    private static final double MOST = 0.9;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long POLL_MILLIS = 10;

    /** 231 MB of blocks under 268 MB of memory. */
    private static final Map<String, String> SERVING = Map.of("KVSTORE_MEMORY_TIER_SIZE", "256M");

    private static final int PROMPTS = 3;
    private static final long SERVED_BLOCKS = 1_000;
    private static final double MEGABYTE = 1e6;
    private static final double SECOND = 1e9;

    private StartTrial() {}

    static void run(LimitScene scene) throws IOException, InterruptedException {
        Map<String, String> disk = Map.of("KVSTORE_DISK_TIER_SIZE", "4G");
        int starts = scene.options().starts();
        int rounds = scene.options().plan().rounds();
        try (MeasuredDataPlane empty = MeasuredDataPlane.start(scene, "empty");
                MeasuredDataPlane bare = MeasuredDataPlane.startWithoutCache(scene, "without-cache");
                MeasuredDataPlane left = MeasuredDataPlane.start(scene, "left", disk, StorageLatency.NONE)) {
            int blocks = scene.options().leftBlocks();
            scene.say("storing " + blocks + " blocks");
            var _ = left.stock("limits/left", blocks / LEFT_PROMPT_BLOCKS, LEFT_PROMPT_BLOCKS, LEFT_BLOCK_BYTES);
            scene.progress().plan(starts + rounds);
            for (int start = 1; start <= starts; start++) {
                scene.progress().step("start " + start + " of " + starts);
                scene.add(EMPTY, 0, Quantity.SECONDS, restart(empty));
                scene.add(WITHOUT_CACHE, 0, Quantity.SECONDS, restart(bare));
                double ready = restart(left);
                scene.add(LEFT, 0, Quantity.SECONDS, ready);
                scene.add(KNOWN, 0, Quantity.SECONDS, ready + known(left, MOST * blocks));
            }
        }
        for (int round = 1; round <= rounds; round++) {
            scene.progress().step("memory, round " + round + " of " + rounds);
            memory(scene, "serving-" + round);
        }
    }

    private static double restart(MeasuredDataPlane subject) throws InterruptedException {
        return subject.dataPlane().restart().toNanos() / SECOND;
    }

    /** Waits until it knows so many blocks on its disk, and says how many seconds that took. */
    private static double known(MeasuredDataPlane subject, double blocks) throws InterruptedException {
        long since = System.nanoTime();
        double known = 0;
        while (System.nanoTime() - since < PATIENCE_NANOS) {
            known = subject.dataPlane().metrics().sum("kvstore_disk_tier_blocks");
            if (known >= blocks) {
                return (System.nanoTime() - since) / SECOND;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        throw new IllegalStateException(
                "%.0f blocks are on its disk instead of at least %.0f".formatted(known, blocks));
    }

    private static void memory(LimitScene scene, String name) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, name, SERVING, StorageLatency.NONE)) {
            ComputedPrompts stock = subject.stock("limits/serving", PROMPTS);
            MainJobOperation read = new MainJobReads.Streaming(subject.client(), stock, true, new AtomicLong());
            for (long served = 0; served < SERVED_BLOCKS; ) {
                served += subject.measureHot(
                                read, CLIENTS, scene.options().plan().time())
                        .blocks();
            }
            double resident = subject.dataPlane().process().usage().residentBytes();
            if (resident > 0) { // or else the system does not tell
                double kept = subject.dataPlane().metrics().sum("kvstore_memory_tier_used_bytes");
                scene.add(BEYOND, CLIENTS, Quantity.MEMORY, (resident - kept) / MEGABYTE);
                scene.add(RESIDENT, CLIENTS, Quantity.MEMORY, resident / MEGABYTE);
            }
        }
    }
}
