package dev.kvstore.benchmark.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
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

/** Joining, heartbeats, the freeze and the silence, one after the other over one control plane. For one thread. */
final class FleetRun {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> REGIONS = List.of("bench-one", "bench-two");
    private static final int WARM_UP_SECONDS = 15;
    private static final long PATIENCE_SECONDS = 120;
    private static final int AFTER_FREEZE_SECONDS = 30;
    private static final long POLL_MILLIS = 250;
    private static final double SILENT = 0.4;
    private static final double NANOS = 1e9;

    private final Home home;
    private final int count;
    private final int seconds;
    private final int pauseSeconds;
    private final List<String> clusters;
    private final Consumer<String> progress;

    FleetRun(Home home, int count, int clusters, int seconds, int pauseSeconds, Consumer<String> progress) {
        this.home = home;
        this.count = count;
        this.seconds = seconds;
        this.pauseSeconds = pauseSeconds;
        this.clusters = IntStream.range(0, clusters).mapToObj(i -> "bench-" + i).toList();
        this.progress = progress;
    }

    FleetReport run() throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        progress.accept("starting a control plane");
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-fleet-")) {
            StackOptions options = StackOptions.onFreePorts(home, folder.path())
                    .withDataPlanes(1)
                    .withControlPlane(ControlPorts.FREE)
                    .withPlatformToken();
            try (LocalStack stack = LocalStack.start(options, new SecureRandom())) {
                StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
                register(control);
                try (SimulatedFleet fleet = new SimulatedFleet(control, count, clusters)) {
                    // Each from when it has joined.
                    fleet.begin();
                    FleetReport.Joins joins = join(fleet);
                    return new FleetReport(
                            load,
                            count,
                            clusters.size(),
                            joins,
                            beats(control, fleet),
                            freeze(control, fleet),
                            silence(control, fleet));
                }
            }
        }
    }

    private static String region(int cluster) {
        return REGIONS.get(cluster % REGIONS.size());
    }

    private void register(StackControlPlane control) throws InterruptedException {
        try (AdminClient admin = control.admin()) {
            for (String region : REGIONS) {
                admin.send(RestRequest.put(List.of("v1", "regions", region), JSON.objectNode()))
                        .accepted();
            }
            for (int i = 0; i < clusters.size(); i++) {
                admin.send(RestRequest.put(
                                List.of("v1", "clusters", clusters.get(i)),
                                JSON.objectNode().put("region", region(i)).put("state", "active")))
                        .accepted();
            }
        }
    }

    private FleetReport.Joins join(SimulatedFleet fleet) throws InterruptedException {
        progress.accept(count + " processes join");
        long start = System.nanoTime();
        Latencies latencies = fleet.join();
        double elapsed = secondsSince(start);
        return new FleetReport.Joins(elapsed, count / elapsed, latencies.percentiles());
    }

    private FleetReport.Beats beats(StackControlPlane control, SimulatedFleet fleet) throws InterruptedException {
        progress.accept("heartbeats for " + seconds + " s, after " + WARM_UP_SECONDS + " s to warm up");
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        FleetMetrics before = FleetMetrics.now(control);
        Cpus cpus = Cpus.now(control);
        fleet.measureAnew();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double elapsed = secondsSince(start);
        Cpus then = Cpus.now(control);
        return new FleetReport.Beats(
                elapsed,
                fleet.answered() / elapsed,
                fleet.latency(),
                fleet.failed(),
                fleet.lost(),
                (FleetMetrics.now(control).batches() - before.batches()) / elapsed,
                Cpus.used(cpus.control(), then.control(), elapsed),
                Cpus.used(cpus.database(), then.database(), elapsed),
                Cpus.used(cpus.benchmark(), then.benchmark(), elapsed));
    }

    private FleetReport.ControlPlanePause freeze(StackControlPlane control, SimulatedFleet fleet)
            throws InterruptedException {
        progress.accept("freezing the control plane for " + pauseSeconds + " s");
        FleetMetrics before = FleetMetrics.now(control);
        fleet.measureAnew();
        signal(control, "STOP");
        long start = System.nanoTime();
        try {
            TimeUnit.SECONDS.sleep(pauseSeconds);
        } finally {
            signal(control, "CONT");
        }
        double frozen = secondsSince(start);
        long goesOn = System.nanoTime();
        double answeredAgain = -1;
        long out = 0;
        while (secondsSince(goesOn) < AFTER_FREEZE_SECONDS || answeredAgain < 0) {
            FleetMetrics seen = FleetMetrics.now(control);
            out = Math.max(
                    out,
                    REGIONS.stream()
                            .mapToLong(region -> seen.members(region, "lapsed"))
                            .sum());
            if (answeredAgain < 0 && fleet.members().stream().allMatch(member -> member.isHeardSince(start))) {
                answeredAgain = secondsSince(goesOn);
            }
            if (secondsSince(goesOn) > PATIENCE_SECONDS) {
                throw new LaunchException("not all processes are heard of " + PATIENCE_SECONDS + " s after the freeze");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        FleetMetrics after = FleetMetrics.now(control);
        return new FleetReport.ControlPlanePause(
                frozen,
                fleet.failed(),
                fleet.lost(),
                after.evictions() - before.evictions(),
                out,
                after.compensations() - before.compensations(),
                answeredAgain);
    }

    private static void signal(StackControlPlane control, String name) throws InterruptedException {
        try {
            int exitCode = new ProcessBuilder(
                            "kill", "-" + name, Long.toString(control.process().pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                throw new LaunchException("kill -" + name + " ended with exit code " + exitCode);
            }
        } catch (IOException e) {
            throw new LaunchException("kill cannot be run: " + e.getMessage(), e);
        }
    }

    private FleetReport.Loss silence(StackControlPlane control, SimulatedFleet fleet) throws InterruptedException {
        String region = REGIONS.getFirst();
        List<SimulatedMember> there = fleet.members().stream()
                .filter(member -> region(clusters.indexOf(member.cluster())).equals(region))
                .toList();
        int silent = (int) (there.size() * SILENT);
        progress.accept(silent + " of " + there.size() + " processes of a region fall silent");
        fleet.measureAnew();
        long start = System.nanoTime();
        there.subList(0, silent).forEach(SimulatedMember::fallSilent);
        double outSeconds = -1;
        List<FleetReport.DeletionPass> steps = new ArrayList<>();
        long rows = there.size();
        while (rows > there.size() - silent) {
            FleetMetrics seen = FleetMetrics.now(control);
            long now = seen.members(region);
            if (outSeconds < 0 && seen.members(region, "serving") <= there.size() - silent) {
                outSeconds = secondsSince(start);
            }
            if (now < rows) {
                steps.add(new FleetReport.DeletionPass(secondsSince(start), rows, rows - now));
                rows = now;
            }
            if (secondsSince(start) > PATIENCE_SECONDS) {
                throw new LaunchException(
                        "after " + PATIENCE_SECONDS + " s there are still " + rows + " rows of " + region);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return new FleetReport.Loss(there.size(), silent, outSeconds, steps, fleet.lost());
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / NANOS;
    }
}
