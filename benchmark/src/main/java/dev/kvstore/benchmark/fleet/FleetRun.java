package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.fleet.FleetReport.ControlPlanePause;
import dev.kvstore.benchmark.fleet.FleetReport.DeletionPass;
import dev.kvstore.benchmark.fleet.SimulatedFleet.HeartbeatCounts;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.CpuClock.CpuReading;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Joining, heartbeats, the freeze and the silence, one after the other over one control plane. For one thread.
 *
 * @param clusters their names
 */
record FleetRun(int count, List<String> clusters, int seconds, int pauseSeconds, Consumer<String> progress) {
    private static final List<String> REGIONS = List.of("bench-one", "bench-two");
    private static final int WARM_UP_SECONDS = 15;
    private static final long PATIENCE_SECONDS = 120;
    private static final int AFTER_FREEZE_SECONDS = 30;
    private static final long POLL_MILLIS = 250;
    private static final double SILENT = 0.4;

    private static final String EVICTIONS = "kvstore_membership_evictions_total";
    private static final String EXTENSIONS = "kvstore_membership_lease_extensions_total";
    private static final String BATCHES = "kvstore_membership_heartbeat_batches_total";

    FleetReport run() throws IOException, InterruptedException {
        progress.accept("starting a control plane");
        return BenchStack.during(
                options -> options.withDataPlanes(1)
                        .withControlPlane(ControlPorts.FREE)
                        .withPlatformToken(),
                progress,
                (stack, _) -> run(stack));
    }

    private FleetReport run(LocalStack stack) throws InterruptedException {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        try (AdminCalls admin = AdminCalls.of(stack)) {
            for (String region : REGIONS) {
                admin.put(AdminCalls.spec(), "regions", region);
            }
            for (int i = 0; i < clusters.size(); i++) {
                admin.put(
                        AdminCalls.spec().put("region", region(i)).put("state", "active"), "clusters", clusters.get(i));
            }
        }
        try (SimulatedFleet fleet = new SimulatedFleet(control, count, clusters)) {
            // Each from when it has joined.
            fleet.begin();
            progress.accept(count + " processes join");
            long start = System.nanoTime();
            Percentiles joining = fleet.join().percentiles();
            double elapsed = secondsSince(start);
            return new FleetReport(
                    count,
                    clusters.size(),
                    new FleetReport.Joins(elapsed, count / elapsed, joining),
                    beats(control, fleet),
                    freeze(control, fleet),
                    silence(control, fleet));
        }
    }

    private static String region(int cluster) {
        return REGIONS.get(cluster % REGIONS.size());
    }

    private FleetReport.Beats beats(StackControlPlane control, SimulatedFleet fleet) throws InterruptedException {
        progress.accept("heartbeats for " + seconds + " s, after " + WARM_UP_SECONDS + " s to warm up");
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        double batches = control.metrics().sum(BATCHES);
        List<CpuReading> before = cpu(control);
        HeartbeatCounts counts = fleet.measureAnew();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double elapsed = secondsSince(start);
        List<CpuReading> after = cpu(control);
        return new FleetReport.Beats(
                elapsed,
                counts.answered().percentiles().count() / elapsed,
                counts.answered().percentiles(),
                counts.failed().sum(),
                counts.lostLeases().sum(),
                (control.metrics().sum(BATCHES) - batches) / elapsed,
                after.get(0).coresSince(before.get(0)),
                after.get(1).coresSince(before.get(1)),
                after.get(2).coresSince(before.get(2)));
    }

    /** Processor time of the control plane, its PostgreSQL, and the benchmark. */
    private static List<CpuReading> cpu(StackControlPlane control) {
        long database = control.database()
                .pid()
                .orElseThrow(() -> new LaunchException("the control plane's PostgreSQL cannot be found"));
        return List.of(
                CpuReading.now(control.process().pid()),
                CpuReading.now(database),
                CpuReading.now(ProcessHandle.current().pid()));
    }

    private ControlPlanePause freeze(StackControlPlane control, SimulatedFleet fleet) throws InterruptedException {
        progress.accept("freezing the control plane for " + pauseSeconds + " s");
        Metrics before = control.metrics();
        HeartbeatCounts counts = fleet.measureAnew();
        control.process().freeze();
        long start = System.nanoTime();
        try {
            TimeUnit.SECONDS.sleep(pauseSeconds);
        } finally {
            control.process().thaw();
        }
        double frozen = secondsSince(start);
        long goesOn = System.nanoTime();
        double answeredAgain = -1;
        long out = 0;
        while (secondsSince(goesOn) < AFTER_FREEZE_SECONDS || answeredAgain < 0) {
            Metrics seen = control.metrics();
            out = Math.max(
                    out,
                    REGIONS.stream()
                            .mapToLong(region -> members(seen, region, "lapsed"))
                            .sum());
            if (answeredAgain < 0 && fleet.members().stream().allMatch(member -> member.lastHeard - start > 0)) {
                answeredAgain = secondsSince(goesOn);
            }
            if (secondsSince(goesOn) > PATIENCE_SECONDS) {
                throw new LaunchException("not all processes are heard of " + PATIENCE_SECONDS + " s after the freeze");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        Metrics after = control.metrics();
        return new ControlPlanePause(
                frozen,
                counts.failed().sum(),
                counts.lostLeases().sum(),
                Math.round(after.sum(EVICTIONS) - before.sum(EVICTIONS)),
                out,
                Math.round(after.sum(EXTENSIONS) - before.sum(EXTENSIONS)),
                answeredAgain);
    }

    private FleetReport.Loss silence(StackControlPlane control, SimulatedFleet fleet) throws InterruptedException {
        String region = REGIONS.getFirst();
        List<SimulatedMember> there = fleet.members().stream()
                .filter(member -> region(clusters.indexOf(member.cluster)).equals(region))
                .toList();
        int silent = (int) (there.size() * SILENT);
        progress.accept(silent + " of " + there.size() + " processes of a region fall silent");
        HeartbeatCounts counts = fleet.measureAnew();
        long start = System.nanoTime();
        there.subList(0, silent).forEach(member -> member.lease = null);
        double outSeconds = -1;
        List<DeletionPass> steps = new ArrayList<>();
        long rows = there.size();
        while (rows > there.size() - silent) {
            Metrics seen = control.metrics();
            long serving = members(seen, region, "serving");
            long now = serving + members(seen, region, "draining") + members(seen, region, "lapsed");
            if (outSeconds < 0 && serving <= there.size() - silent) {
                outSeconds = secondsSince(start);
            }
            if (now < rows) {
                steps.add(new DeletionPass(secondsSince(start), rows, rows - now));
                rows = now;
            }
            if (secondsSince(start) > PATIENCE_SECONDS) {
                throw new LaunchException(
                        "after " + PATIENCE_SECONDS + " s there are still " + rows + " rows of " + region);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return new FleetReport.Loss(
                there.size(), silent, outSeconds, steps, counts.lostLeases().sum());
    }

    /** Processes of a region in a state. */
    private static long members(Metrics metrics, String region, String state) {
        return Math.round(metrics.samples().stream()
                .filter(sample -> sample.name().equals("kvstore_membership_processes")
                        && region.equals(sample.labels().get("region"))
                        && state.equals(sample.labels().get("state")))
                .mapToDouble(Metrics.MetricSample::value)
                .sum());
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
