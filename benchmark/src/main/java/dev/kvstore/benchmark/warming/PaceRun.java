package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A warming that is paused and resumed, beside clients in both regions that are served all the while. For one thread.
 */
final class PaceRun {
    private static final Duration ROUND_TRIP = Duration.ofMillis(80);
    private static final StorageLatency LATENCY = new StorageLatency(Duration.ofMillis(20), Duration.ofMillis(40));
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Partition COPIED = Partition.of("copied");
    private static final int PROMPT_BLOCKS = 64;

    /** Until what was resumed runs evenly, and what was paused has ended. */
    private static final int SETTLING_SECONDS = 3;

    /** More blocks than windows take, for what is copied while things settle: a claim may take 5 s. */
    private static final double SPARE = 1.8;

    private static final int WARM_UP_SECONDS = 15;
    private static final int REQUESTS_PER_SECOND = 2_000;

    private final Home home;
    private final int pairs;
    private final int seconds;
    private final long bytesPerSecond;
    private final BenchProgress progress;

    PaceRun(Home home, int pairs, int seconds, long bytesPerSecond, BenchProgress progress) {
        this.home = home;
        this.pairs = pairs;
        this.seconds = seconds;
        this.bytesPerSecond = bytesPerSecond;
        this.progress = progress;
    }

    PaceFigures run(Path folder) throws InterruptedException {
        StackLayout layout = StackLayout.of(2, 1, ROUND_TRIP);
        String region = layout.regions().getLast().name();
        StackOptions options = StackOptions.onFreePorts(home, folder)
                .withControlPlane(ControlPorts.FREE)
                .withLayout(layout)
                .withStorageLatency(LATENCY);
        progress.accept("starting a control plane and a data plane in each of 2 regions");
        try (LocalStack stack = LocalStack.start(options, new SecureRandom());
                var admin = Objects.requireNonNull(stack.controlPlane()).admin();
                KvClient near = client(stack, stack.dataPlanes(StackLayout.HOME).getFirst());
                KvClient far = client(stack, stack.dataPlanes(region).getFirst())) {
            store(near);
            try (LiveLoad atHome = new LiveLoad(near, StackLayout.HOME);
                    LiveLoad away = new LiveLoad(far, region)) {
                StackWarmings warmings = new StackWarmings(admin);
                String id = warmings.begin(region, 0, bytesPerSecond, REQUESTS_PER_SECOND);
                progress.accept("warming up");
                var _ = warmings.await(
                        id, warming -> warming.at("/blocks/copied").asLong() > 0);
                TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
                warmings.order(id, "pause");
                StackDataPlane worker = stack.dataPlanes(region).getFirst();
                List<PaceFigures.WithAndWithout> found = new ArrayList<>();
                progress.plan(pairs);
                for (int i = 0; i < pairs; i++) {
                    progress.step("a pair of %d s without and with warming".formatted(seconds));
                    found.add(pair(warmings, id, worker, atHome, away));
                }
                return new PaceFigures(
                        ROUND_TRIP.toMillis(),
                        LATENCY.get().toMillis(),
                        LATENCY.put().toMillis(),
                        bytesPerSecond,
                        found,
                        atHome.failures() + away.failures());
            }
        }
    }

    private static KvClient client(LocalStack stack, StackDataPlane dataPlane) {
        return KvClient.builder()
                .endpoints(dataPlane.endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(DEADLINE)
                .build();
    }

    private void store(KvClient client) throws InterruptedException {
        double windows = pairs * (seconds + SETTLING_SECONDS) + WARM_UP_SECONDS;
        int prompts = (int) Math.ceil(SPARE * windows * bytesPerSecond / LiveLoad.BLOCK_BYTES / PROMPT_BLOCKS);
        progress.accept(
                "storing %,d blocks of %,d bytes at home".formatted(prompts * PROMPT_BLOCKS, LiveLoad.BLOCK_BYTES));
        for (int i = 0; i < prompts; i++) {
            Prompt prompt = Prompt.of(COPIED, i, PROMPT_BLOCKS);
            try (BlockWriter writer = client.writer(COPIED, prompt.chain())) {
                for (int block = 0; block < PROMPT_BLOCKS; block++) {
                    ByteBuffer buffer = ByteBuffer.allocate(LiveLoad.BLOCK_BYTES);
                    Payload.fill(prompt.chain().hash(block), buffer);
                    var _ = writer.write(NewBlock.of(prompt.chain(), block, prompt.block(block), buffer));
                }
                writer.finish();
            }
        }
    }

    private PaceFigures.WithAndWithout pair(
            StackWarmings warmings, String id, StackDataPlane worker, LiveLoad atHome, LiveLoad away)
            throws InterruptedException {
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        double idle = copied(worker);
        atHome.begin();
        away.begin();
        TimeUnit.SECONDS.sleep(seconds);
        double homeWithout = atHome.end().p99Millis();
        double awayWithout = away.end().p99Millis();
        double before = copied(worker);
        if (before > idle) {
            throw new LaunchException("a warming that was paused goes on");
        }
        warmings.order(id, "resume");
        while (copied(worker) == before) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        double start = copied(worker);
        long since = System.nanoTime();
        atHome.begin();
        away.begin();
        TimeUnit.SECONDS.sleep(seconds);
        double homeWith = atHome.end().p99Millis();
        double awayWith = away.end().p99Millis();
        double rate = (copied(worker) - start) / ((System.nanoTime() - since) / 1e9);
        warmings.order(id, "pause");
        return new PaceFigures.WithAndWithout(rate / bytesPerSecond, homeWithout, homeWith, awayWithout, awayWith);
    }

    private static double copied(StackDataPlane worker) {
        return worker.metrics().sum("kvstore_warming_copied_bytes_total");
    }
}
