package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench fleet}. */
@Command(
        name = "fleet",
        header = "Many data planes that join, lose the control plane, and fall silent.",
        description = "What the control plane does with many processes, simulated over a stack of its own in target/"
                + " that it deletes again: they join and send heartbeats; the control plane is frozen (SIGSTOP) and goes"
                + " on; and 40 %% of a region fall silent at once. Takes some four minutes. Exit code 1 if a bound was"
                + " broken: a heartbeat within 50 ms (p99), no lease lost, nobody out of the fleet after the freeze, the"
                + " silent ones out of it within 20 s, and their rows no faster than 15 %% of the region in a pass.")
public final class FleetCommand extends BenchCommand {
    private static final int MOST_MEMBERS = 100_000;
    private static final int MOST_CLUSTERS = 1_000;
    private static final int LEAST_SECONDS = 5;
    private static final int MOST_SECONDS = 3_600;

    @Option(
            names = "--members",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "Data planes, at least as many as clusters, up to " + MOST_MEMBERS + ". Default: ${DEFAULT-VALUE}.")
    private int members;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "100",
            description = "Clusters, in two regions, 2 to " + MOST_CLUSTERS + ". Default: ${DEFAULT-VALUE}.")
    private int clusters;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "Seconds for which heartbeats are measured, " + LEAST_SECONDS + " to " + MOST_SECONDS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--pause",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Seconds for which the control plane is frozen, " + LEAST_SECONDS + " to " + MOST_SECONDS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int pause;

    @Override
    protected void check() {
        require("--clusters", clusters, 2, MOST_CLUSTERS);
        require("--members", members, clusters, MOST_MEMBERS);
        require("--seconds", seconds, LEAST_SECONDS, MOST_SECONDS);
        require("--pause", pause, LEAST_SECONDS, MOST_SECONDS);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        List<String> names =
                IntStream.range(0, clusters).mapToObj(i -> "bench-" + i).toList();
        return new FleetRun(members, names, seconds, pause, progress).run();
    }
}
