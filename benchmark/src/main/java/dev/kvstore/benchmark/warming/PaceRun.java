package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A warming that is paused and resumed, beside clients in both regions that are served all the while. For one thread.
 *
 * @param pairs whiles without and with warming
 * @param seconds of each
 */
record PaceRun(int pairs, int seconds, BenchProgress progress) {
    private static final StackLayout LAYOUT = StackLayout.of(2, 1, Duration.ofMillis(80));
    private static final String AWAY = LAYOUT.regions().getLast().name();
    private static final StorageLatency LATENCY = new StorageLatency(Duration.ofMillis(20), Duration.ofMillis(40));
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Partition COPIED = Partition.of("copied");
    private static final int PROMPT_BLOCKS = 64;
    private static final int WRITERS = 4;

    /** Until what was resumed runs evenly, and what was paused has ended. */
    private static final int SETTLING_SECONDS = 3;

    /** More blocks than windows take, for what is copied while things settle: a claim may take 5 s. */
    private static final double SPARE = 1.8;

    private static final int WARM_UP_SECONDS = 15;

    /** The bytes that warming may copy in a second. */
    private static final long BYTES_PER_SECOND = 20_000_000;

    private static final int REQUESTS_PER_SECOND = 2_000;

    static StackOptions options(StackOptions options) {
        return options.withControlPlane(ControlPorts.FREE).withLayout(LAYOUT).withStorageLatency(LATENCY);
    }

    PaceFigures run(LocalStack stack) throws InterruptedException {
        StackDataPlane worker = stack.dataPlanes(AWAY).getFirst();
        try (AdminCalls admin = AdminCalls.of(stack);
                KvClient near = HitsRun.client(stack, StackLayout.HOME, DEADLINE);
                KvClient far = HitsRun.client(stack, AWAY, DEADLINE)) {
            store(near);
            try (LiveLoad atHome = new LiveLoad(near, StackLayout.HOME);
                    LiveLoad away = new LiveLoad(far, AWAY)) {
                StackWarmings warmings = new StackWarmings(admin);
                String id = warmings.begin(AWAY, 0, BYTES_PER_SECOND, REQUESTS_PER_SECOND);
                progress.accept("warming up");
                var _ = warmings.await(
                        id, warming -> warming.at("/blocks/copied").asLong() > 0);
                TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
                warmings.order(id, "pause");
                List<PaceFigures.WithAndWithout> found = new ArrayList<>();
                progress.plan(pairs);
                for (int i = 0; i < pairs; i++) {
                    progress.step("a pair of %d s without and with warming".formatted(seconds));
                    TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
                    While without = measure(worker, atHome, away);
                    if (without.copied() > 0) {
                        throw new LaunchException("a warming that was paused goes on");
                    }
                    warmings.order(id, "resume");
                    double before = copied(worker);
                    while (copied(worker) == before) {
                        TimeUnit.MILLISECONDS.sleep(100);
                    }
                    TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
                    While with = measure(worker, atHome, away);
                    warmings.order(id, "pause");
                    found.add(new PaceFigures.WithAndWithout(
                            with.copied() / BYTES_PER_SECOND,
                            without.homeMillis(),
                            with.homeMillis(),
                            without.awayMillis(),
                            with.awayMillis()));
                }
                return new PaceFigures(
                        LAYOUT.roundTrip().toMillis(),
                        LATENCY.get().toMillis(),
                        LATENCY.put().toMillis(),
                        BYTES_PER_SECOND,
                        found,
                        atHome.failures() + away.failures());
            }
        }
    }

    private void store(KvClient client) throws InterruptedException {
        double windows = pairs * (seconds + SETTLING_SECONDS) + WARM_UP_SECONDS;
        int prompts = (int) Math.ceil(SPARE * windows * BYTES_PER_SECOND / LiveLoad.BLOCK_BYTES / PROMPT_BLOCKS);
        progress.accept(
                "storing %,d blocks of %,d bytes at home".formatted(prompts * PROMPT_BLOCKS, LiveLoad.BLOCK_BYTES));
        PromptCalls calls = new PromptCalls(client, LiveLoad.BLOCK_BYTES);
        CallLoad.calls(WRITERS, 0, prompts, i -> calls.write(Prompt.of(COPIED, i, PROMPT_BLOCKS)));
    }

    /**
     * The measurements of a while.
     *
     * @param copied bytes a second by the warming
     * @param homeMillis how long 99 of 100 requests took at most at home
     */
    private record While(double copied, double homeMillis, double awayMillis) {}

    private While measure(StackDataPlane worker, LiveLoad atHome, LiveLoad away) throws InterruptedException {
        double before = copied(worker);
        long start = System.nanoTime();
        Latencies home = atHome.begin();
        Latencies other = away.begin();
        TimeUnit.SECONDS.sleep(seconds);
        double homeMillis = home.percentiles().p99Millis();
        double awayMillis = other.percentiles().p99Millis();
        double elapsed = (System.nanoTime() - start) / 1e9;
        return new While((copied(worker) - before) / elapsed, homeMillis, awayMillis);
    }

    private static double copied(StackDataPlane worker) {
        return worker.metrics().sum("kvstore_warming_copied_bytes_total");
    }
}
