package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Many clusters, and clients that ask where to go, and watch while one of them drains. For one thread. */
final class RoutesRun {
    private static final int WARM_UP_ROUNDS = 2;
    private static final int PER_CONNECTION = 100;
    private static final int ROUNDS = 3;
    private static final long PATIENCE_SECONDS = 60;

    /** The time until the weights of processes that have just joined, and the readings of them, have settled. */
    private static final int SETTLE_SECONDS = 40;

    private static final double NANOS = 1e9;

    private final Home home;
    private final int members;
    private final int watchers;
    private final List<String> clusters;
    private final Consumer<String> progress;

    RoutesRun(Home home, int clusters, int members, int watchers, Consumer<String> progress) {
        this.home = home;
        this.members = members;
        this.watchers = watchers;
        this.clusters = IntStream.range(0, clusters).mapToObj(i -> "bench-" + i).toList();
        this.progress = progress;
    }

    RoutesReport run() throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        progress.accept("starting a control plane");
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-routes-")) {
            StackOptions options = StackOptions.onFreePorts(home, folder.path())
                    .withDataPlanes(1)
                    .withControlPlane(ControlPorts.FREE)
                    .withPlatformToken();
            try (LocalStack stack = LocalStack.start(options, new SecureRandom())) {
                StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
                try (AdminClient admin = control.admin();
                        SimulatedFleet fleet = new SimulatedFleet(control, members, clusters, RouteAnswers::load)) {
                    RoutesScene scene = new RoutesScene(admin, clusters, folder.path());
                    progress.accept("registering " + RoutesScene.REGIONS + " regions, " + clusters.size()
                            + " clusters, " + RoutesScene.ACCOUNTS + " accounts");
                    scene.register();
                    progress.accept(members + " processes join " + clusters.size() + " clusters");
                    fleet.join();
                    fleet.begin();
                    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
                    return measure(control, scene, load);
                }
            }
        }
    }

    private RoutesReport measure(StackControlPlane control, RoutesScene scene, double load)
            throws InterruptedException {
        int connections = Math.ceilDiv(watchers, PER_CONNECTION);
        try (RouteWatches clients = new RouteWatches(control, scene.key(), watchers, connections)) {
            RouteAnswers answers = new RouteAnswers(control, clients);
            RoutesReport.RouteLatencies asked = answers.ask(progress);
            RoutesReport.WeightSpread spread = answers.spread();
            progress.accept(watchers + " watchers on " + connections + " connections");
            clients.expect(scene.chosen(), true);
            clients.begin(RoutesScene::request);
            requireAll(clients.await(PATIENCE_SECONDS));
            List<RoutesReport.DrainWatch> rounds = new ArrayList<>();
            for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
                RoutesReport.DrainWatch round = drain(scene, clients, connections);
                if (i >= 0) {
                    rounds.add(round);
                }
            }
            return new RoutesReport(load, clusters.size(), members, asked, spread, rounds);
        }
    }

    private void requireAll(List<Long> told) {
        if (told.size() < watchers) {
            throw new LaunchException("only " + told.size() + " of " + watchers + " watchers were told a route within "
                    + PATIENCE_SECONDS + " s");
        }
    }

    private RoutesReport.DrainWatch drain(RoutesScene scene, RouteWatches clients, int connections)
            throws InterruptedException {
        progress.accept(scene.chosen() + " drains and comes back");
        clients.expect(scene.chosen(), false);
        long start = System.nanoTime();
        scene.choose("draining");
        List<Long> told = clients.await(PATIENCE_SECONDS);
        clients.expect(scene.chosen(), true);
        scene.choose("active");
        requireAll(clients.await(PATIENCE_SECONDS));
        return new RoutesReport.DrainWatch(
                watchers,
                connections,
                told.size(),
                seconds(told, start, 0.5),
                seconds(told, start, 0.99),
                seconds(told, start, 1));
    }

    private static double seconds(List<Long> told, long start, double part) {
        if (told.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        int index = (int) Math.ceil(part * told.size()) - 1;
        return (told.get(index) - start) / NANOS;
    }
}
