package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.MainJobCalls;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How long a data plane takes from the start of its process to ready, and what memory it takes beyond its blocks. */
final class StartTrial implements LimitTrial {
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
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 10;

    /** 231 MB of blocks under 268 MB of memory. */
    private static final Map<String, String> SERVING = Map.of("KVSTORE_MEMORY_TIER_SIZE", "256M");

    private static final int PROMPTS = 3;
    private static final long SERVED_BLOCKS = 1_000;
    private static final double MEGABYTE = 1e6;
    private static final double SECOND = 1e9;

    @Override
    public int steps(LimitsOptions options) {
        return options.starts() + options.rounds();
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        starts(scene);
        for (int round = 1; round <= scene.options().rounds(); round++) {
            scene.step("memory, round " + round + " of " + scene.options().rounds());
            memory(scene, "serving-" + round);
        }
    }

    private static void starts(LimitScene scene) throws IOException, InterruptedException {
        Map<String, String> disk = Map.of("KVSTORE_DISK_TIER_SIZE", "4G");
        try (MeasuredDataPlane empty = MeasuredDataPlane.start(scene, "empty");
                MeasuredDataPlane bare = MeasuredDataPlane.startWithoutCache(scene, "without-cache");
                MeasuredDataPlane left = MeasuredDataPlane.start(scene, "left", disk, StorageLatency.NONE)) {
            int blocks = scene.options().leftBlocks();
            scene.say("storing " + blocks + " blocks");
            var _ = new StoredPrompts(
                            "limits/left", blocks / LEFT_PROMPT_BLOCKS, LEFT_PROMPT_BLOCKS, LEFT_BLOCK_BYTES)
                    .write(left.client());
            scene.begin();
            for (int start = 1; start <= scene.options().starts(); start++) {
                scene.step("start " + start + " of " + scene.options().starts());
                add(scene, EMPTY, 0, Quantity.SECONDS, seconds(empty.dataPlane().restart()));
                add(
                        scene,
                        WITHOUT_CACHE,
                        0,
                        Quantity.SECONDS,
                        seconds(bare.dataPlane().restart()));
                double ready = seconds(left.dataPlane().restart());
                add(scene, LEFT, 0, Quantity.SECONDS, ready);
                add(scene, KNOWN, 0, Quantity.SECONDS, ready + known(left, MOST * blocks));
            }
        }
    }

    /** Waits until it knows so many blocks on its disk, and says how many seconds that took. */
    private static double known(MeasuredDataPlane subject, double blocks) throws InterruptedException {
        long since = System.nanoTime();
        while (System.nanoTime() - since < PATIENCE.toNanos()) {
            if (subject.dataPlane().metrics().sum("kvstore_disk_tier_blocks") >= blocks) {
                return (System.nanoTime() - since) / SECOND;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        throw new IllegalStateException("%.0f blocks are on its disk instead of at least %.0f"
                .formatted(subject.dataPlane().metrics().sum("kvstore_disk_tier_blocks"), blocks));
    }

    private static void memory(LimitScene scene, String name) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, name, SERVING, StorageLatency.NONE)) {
            MainJobCalls calls = MainJobCalls.of(subject.client(), subject.store("limits/serving", PROMPTS));
            for (long served = 0; served < SERVED_BLOCKS; ) {
                calls.heat();
                served += subject.measureHot(
                                calls.streams(), CLIENTS, scene.options().time())
                        .blocks();
            }
            double resident = subject.dataPlane().process().usage().residentBytes();
            if (resident == 0) {
                return; // the system does not tell
            }
            double kept = subject.dataPlane().metrics().sum("kvstore_memory_tier_used_bytes");
            add(scene, BEYOND, CLIENTS, Quantity.MEMORY, (resident - kept) / MEGABYTE);
            add(scene, RESIDENT, CLIENTS, Quantity.MEMORY, resident / MEGABYTE);
        }
    }

    private static void add(LimitScene scene, String what, int clients, Quantity quantity, double value) {
        scene.findings().add(scene.limit(), what, clients, quantity, value);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / SECOND;
    }
}
