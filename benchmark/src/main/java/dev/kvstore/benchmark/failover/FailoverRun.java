package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Does one thing after the other to a stack of two regions under load. For one thread. */
final class FailoverRun {
    /** Two clusters where the clients are, one of them with two processes; one process in the other region. */
    static final StackLayout LAYOUT = new StackLayout(
            List.of(
                    new StackLayout.Region(
                            "near",
                            List.of(new StackLayout.Cluster("near-a", 2), new StackLayout.Cluster("near-b", 1))),
                    new StackLayout.Region("far", List.of(new StackLayout.Cluster("far-a", 1)))),
            Duration.ofMillis(60));

    /** The time before the fault, to measure the usual latency. */
    private static final int SECONDS_BEFORE = 5;

    /** After all is back, since the way back may fail too. */
    private static final int SECONDS_AFTER = 3;

    private static final int WARM_UP_SECONDS = 10;

    private final Home home;
    private final List<FailoverCase> cases;
    private final int seconds;
    private final Consumer<String> progress;
    private final List<FailoverReport.FailoverResult> results = new ArrayList<>();

    /**
     * @param seconds how long each deed lasts
     * @param progress takes a line now and then
     */
    FailoverRun(Home home, List<FailoverCase> cases, int seconds, Consumer<String> progress) {
        this.home = home;
        this.cases = List.copyOf(cases);
        this.seconds = seconds;
        this.progress = progress;
    }

    /** All cases; those that were done if this thread is interrupted meanwhile. */
    FailoverReport run() throws IOException {
        Files.createDirectories(home.target());
        boolean interrupted = false;
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-failover-")) {
            boolean complete = false;
            try {
                run(folder.path());
                complete = true;
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                if (!complete) {
                    folder.rescue("logs", home.target().resolve("kv-failover-logs"));
                    progress.accept(
                            "the processes' logs are kept in " + home.target().resolve("kv-failover-logs"));
                }
            }
        }
        return new FailoverReport(LAYOUT.toString(), List.copyOf(results), interrupted);
    }

    private void run(Path folder) throws InterruptedException {
        StackOptions options = StackOptions.onFreePorts(home, folder)
                .withControlPlane(ControlPorts.FREE)
                .withLayout(LAYOUT);
        progress.accept("starting a control plane and data planes: " + LAYOUT);
        try (LocalStack stack = LocalStack.start(options, new SecureRandom());
                AdminClient admin = Objects.requireNonNull(stack.controlPlane()).admin();
                StackRoutes routes = new StackRoutes(stack);
                KvClient client = client(stack, folder);
                FailoverCallers callers = new FailoverCallers(client)) {
            var _ = routes.untilWith(stack.dataPlanes());
            progress.accept("warming up");
            callers.begin();
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            Deeds deeds = new Deeds(stack, admin);
            for (FailoverCase one : cases) {
                results.add(measure(one, stack, deeds, routes, callers));
            }
            callers.end();
        }
    }

    private static KvClient client(LocalStack stack, Path folder) {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        return KvClient.builder()
                .controlPlane(control.address())
                .region(LAYOUT.regions().getFirst().name())
                .routeCache(folder.resolve("routes"))
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .build();
    }

    private FailoverReport.FailoverResult measure(
            FailoverCase one, LocalStack stack, Deeds deeds, StackRoutes routes, FailoverCallers callers)
            throws InterruptedException {
        List<StackDataPlane> victims = deeds.victims(one.scope());
        FailoverTally tally = new FailoverTally();
        callers.countIn(tally);
        TimeUnit.SECONDS.sleep(SECONDS_BEFORE);
        progress.accept(one.name() + " of " + StackRoutes.named(victims) + " for " + seconds + " s");
        tally.begin();
        long start = System.nanoTime();
        deeds.commit(one);
        double out = routes.untilWithout(victims);
        TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(seconds) - (System.nanoTime() - start));
        tally.undo();
        long undoing = System.nanoTime();
        deeds.undo(one);
        var _ = routes.untilWith(stack.dataPlanes());
        double back = (System.nanoTime() - undoing) / 1e9;
        TimeUnit.SECONDS.sleep(SECONDS_AFTER);
        return tally.result(one.name(), out, back);
    }
}
