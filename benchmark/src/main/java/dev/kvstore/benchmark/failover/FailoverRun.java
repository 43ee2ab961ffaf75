package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.failover.FailoverReport.FailoverResult;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.measure.PhaseTally;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.benchmark.measure.StackChannels;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.stream.IntStream;

/** Makes one fault after the other in a stack of two regions that is under load. For one thread. */
final class FailoverRun {
    /** Two clusters where the clients are, one of them with two processes; one process in the other region. */
    static final StackLayout LAYOUT = new StackLayout(
            List.of(
                    new StackLayout.Region(
                            "near",
                            List.of(new StackLayout.Cluster("near-a", 2), new StackLayout.Cluster("near-b", 1))),
                    new StackLayout.Region("far", List.of(new StackLayout.Cluster("far-a", 1)))),
            Duration.ofMillis(60));

    private static final int WARM_UP_SECONDS = 10;

    /** The time before the fault, to measure the usual latency. */
    private static final int SECONDS_BEFORE = 5;

    /** After all is back, since the way back may fail too. */
    private static final int SECONDS_AFTER = 3;

    private static final double LEAST_SLOW_MILLIS = 100;
    private static final double SLOW_FACTOR = 10;

    private static final Partition PARTITION = Partition.of("failover", 16);
    private static final int PROMPTS = 40;
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 16 * 1024;
    private static final int CALLERS_OF_EACH_KIND = 2;

    // Some hundred requests a second of each kind: a load, not the most that the machine can do.
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final int seconds;
    private final Consumer<String> progress;
    private final AtomicLong numbers = new AtomicLong();
    private volatile PhaseTally tally = new PhaseTally("warm-up");

    /**
     * @param seconds how long each fault lasts
     * @param progress takes a line now and then
     */
    FailoverRun(int seconds, Consumer<String> progress) {
        this.seconds = seconds;
        this.progress = progress;
    }

    /** All cases; those that were done if this thread is interrupted meanwhile. */
    FailoverReport run(List<FailoverCase> cases) throws IOException {
        progress.accept("starting a control plane and data planes: " + LAYOUT);
        List<FailoverResult> results = new ArrayList<>();
        boolean interrupted = false;
        try {
            BenchStack.during(
                    options -> options.withControlPlane(ControlPorts.FREE).withLayout(LAYOUT),
                    progress,
                    (stack, folder) -> run(cases, stack, folder, results));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return new FailoverReport(LAYOUT.toString(), results, interrupted);
    }

    private List<FailoverResult> run(
            List<FailoverCase> cases, LocalStack stack, Path folder, List<FailoverResult> results)
            throws InterruptedException {
        String control = Objects.requireNonNull(stack.controlPlane()).address();
        try (AdminCalls admin = AdminCalls.of(stack);
                StackChannels channels = new StackChannels(control, stack.key().text(), 1);
                KvClient client = KvClient.builder()
                        .controlPlane(control)
                        .region(LAYOUT.regions().getFirst().name())
                        .routeCache(folder.resolve("routes"))
                        .resource(LocalStack.RESOURCE)
                        .apiKey(stack.key().text())
                        .build()) {
            StackRoutes routes = StackRoutes.of(stack, channels);
            var _ = routes.untilWith(stack.dataPlanes());
            progress.accept("warming up");
            try (CallLoad load = load(new PromptCalls(client, BLOCK_BYTES))) {
                TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
                for (FailoverCase one : cases) {
                    results.add(measure(one.name(), StackFault.of(one, stack, admin), stack, routes));
                }
                load.end();
            }
        }
        return results;
    }

    private CallLoad load(PromptCalls calls) {
        List<Prompt> prompts =
                IntStream.range(0, PROMPTS).mapToObj(_ -> next(BLOCKS)).toList();
        prompts.forEach(calls::write);
        CallLoad load = new CallLoad();
        Map<String, ToIntBiFunction<Prompt, Integer>> reads = Map.of(
                "lookup", (prompt, _) -> calls.lookUp(prompt),
                "stream", (prompt, _) -> calls.stream(prompt),
                "read", (prompt, number) -> calls.read(prompt, number % BLOCKS));
        for (int caller = 0; caller < CALLERS_OF_EACH_KIND; caller++) {
            int first = caller * PROMPTS / CALLERS_OF_EACH_KIND;
            reads.forEach((kind, request) -> load.pausing(1, PAUSE, number -> {
                Prompt prompt = prompts.get((first + number) % PROMPTS);
                tally.count(kind, () -> request.applyAsInt(prompt, number));
            }));
        }
        return load.pausing(CALLERS_OF_EACH_KIND, PAUSE, _ -> {
            Prompt prompt = next(1);
            tally.count("write", () -> {
                calls.write(prompt);
                return 0;
            });
        });
    }

    private Prompt next(int blocks) {
        return Prompt.of(PARTITION, numbers.getAndIncrement(), blocks);
    }

    private FailoverResult measure(String name, StackFault fault, LocalStack stack, StackRoutes routes)
            throws InterruptedException {
        PhaseTally counted = new PhaseTally("before");
        tally = counted;
        TimeUnit.SECONDS.sleep(SECONDS_BEFORE);
        progress.accept(name + " of " + StackRoutes.names(fault.victims()) + " for " + seconds + " s");
        double slowMillis = slowMillis(counted.latencies("before"));
        counted.begin("during", slowMillis);
        long start = System.nanoTime();
        fault.begin();
        double out = routes.untilWithout(fault.victims());
        TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(seconds) - (System.nanoTime() - start));
        counted.begin("after", Double.MAX_VALUE);
        long undoing = System.nanoTime();
        fault.end();
        var _ = routes.untilWith(stack.dataPlanes());
        double back = (System.nanoTime() - undoing) / 1e9;
        TimeUnit.SECONDS.sleep(SECONDS_AFTER);
        return new FailoverResult(
                name,
                counted.requests(),
                counted.failed(),
                counted.failures(),
                counted.misses(),
                counted.secondsUntilFast("during"),
                slowMillis,
                out,
                back,
                counted.latencies("before"),
                counted.latencies("during"));
    }

    private static double slowMillis(Map<String, Percentiles> usual) {
        return usual.values().stream()
                .mapToDouble(latency -> SLOW_FACTOR * latency.p99Millis())
                .reduce(LEAST_SLOW_MILLIS, Math::max);
    }
}
