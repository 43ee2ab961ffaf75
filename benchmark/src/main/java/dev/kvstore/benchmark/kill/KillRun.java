package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Writes, kill, restart, verification, again and again. For one thread. */
final class KillRun {
    private static final int MOST_MILLIS_OF_WRITING = 400;
    private static final int OLDER_PROMPTS = 20;
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final int POLL_MILLIS = 50;
    private static final String ON_DISK = "kvstore_disk_tier_blocks";

    private final int kills;
    private final long seed;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final AtomicLong numbers = new AtomicLong();
    private final List<WrittenPrompt> all = new ArrayList<>();
    private final Verification verification = new Verification();
    private final Latencies ready = new Latencies();
    private long acked;
    private long ackedBytes;
    private long inFlight;
    private int diskRecovered;
    private int diskServed;

    KillRun(int kills, long seed, Consumer<String> progress) {
        this.kills = kills;
        this.seed = seed;
        this.progress = progress;
        this.random = new SplittableRandom(seed);
    }

    KillReport run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        return BenchStack.during(KillRun::options, progress, (stack, _) -> {
            run(stack);
            return report((System.nanoTime() - start) / 1e9);
        });
    }

    /** Little memory, so that blocks leave it for the disk tier. */
    private static StackOptions options(StackOptions options) {
        return options.withDataPlanes(1)
                .withSettings(Map.of(
                        "KVSTORE_MEMORY_TIER_SIZE", "8M",
                        "KVSTORE_DISK_TIER_SIZE", "512M",
                        "KVSTORE_DISK_TIER_PATH",
                                options.folder().resolve("disk-tier").toString()));
    }

    private void run(LocalStack stack) throws InterruptedException {
        StackDataPlane dataPlane = stack.dataPlane(0);
        for (int kill = 1; kill <= kills; kill++) {
            Collection<WrittenPrompt> writings = writeAndKill(stack, dataPlane);
            ready.add(dataPlane.startAgain().toNanos());
            try (KvClient client = client(stack, RetryOptions.DEFAULT)) {
                verification.lookUp(client, writings);
                verification.read(client, writings);
                verification.lookUp(client, olderOnes());
                verification.read(client, olderOnes());
            }
            all.addAll(writings);
            Metrics metrics = dataPlane.metrics();
            diskRecovered += metrics.sum(ON_DISK) > 0 ? 1 : 0;
            diskServed += metrics.sum("kvstore_disk_tier_hits_total") > 0 ? 1 : 0;
            progress.accept(
                    "kill %d of %d: %d blocks acknowledged, %d were under way".formatted(kill, kills, acked, inFlight));
        }
        progress.accept("reading everything");
        try (KvClient client = client(stack, RetryOptions.DEFAULT)) {
            verification.lookUp(client, all);
            verification.read(client, all);
        }
    }

    private Collection<WrittenPrompt> writeAndKill(LocalStack stack, StackDataPlane dataPlane)
            throws InterruptedException {
        try (KvClient client = client(stack, RetryOptions.NONE)) {
            KillWriters writers = new KillWriters(client, numbers);
            writers.awaitBegun();
            if (all.isEmpty()) {
                awaitBlocksOnDisk(dataPlane);
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_MILLIS_OF_WRITING));
            inFlight += writers.underWay();
            dataPlane.kill();
            Collection<WrittenPrompt> writings = writers.end();
            acked += writers.acked();
            ackedBytes += writers.ackedBytes();
            return writings;
        }
    }

    /** The first kill comes once the disk tier has blocks, so that each restart finds some, however slow the machine is. */
    private static void awaitBlocksOnDisk(StackDataPlane dataPlane) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (dataPlane.metrics().sum(ON_DISK) == 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Some that were written before, of which the disk tier may have blocks. */
    private List<WrittenPrompt> olderOnes() {
        return all.isEmpty()
                ? List.of()
                : random.ints(OLDER_PROMPTS, 0, all.size()).mapToObj(all::get).toList();
    }

    private static KvClient client(LocalStack stack, RetryOptions retry) {
        return KvClient.builder()
                .endpoints(stack.dataPlane(0).endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(DEADLINE)
                .retry(retry)
                .build();
    }

    private KillReport report(double seconds) {
        return new KillReport(
                seed,
                kills,
                acked,
                ackedBytes,
                inFlight,
                verification.lost(),
                verification.torn(),
                verification.damaged(),
                verification.missed(),
                diskRecovered,
                diskServed,
                ready.percentiles(),
                verification.reads(),
                verification.lookups(),
                seconds);
    }
}
