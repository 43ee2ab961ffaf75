package dev.kvstore.benchmark.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv bench fleet}. */
@Command(
        name = "fleet",
        description = "What the control plane does with many processes, simulated over a stack of its own in target/"
                + " that it deletes again: they join and send heartbeats; the control plane is frozen (SIGSTOP) and goes"
                + " on; and 40 % of a region fall silent at once. Takes some four minutes. Exit code 1 if a bound was"
                + " broken: a heartbeat within 50 ms (p99), no lease lost, nobody out of the fleet after the freeze, the"
                + " silent ones out of it within 20 s, and their rows no faster than 15 % of the region in a pass.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class FleetCommand implements Callable<Integer> {
    private static final int MOST_MEMBERS = 100_000;
    private static final int MOST_CLUSTERS = 1_000;
    private static final int LEAST_SECONDS = 5;
    private static final int MOST_SECONDS = 3_600;

    @Option(
            names = "--members",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many processes, at least as many as clusters, up to " + MOST_MEMBERS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int members;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "100",
            description =
                    "In how many clusters, in two regions, 2 to " + MOST_CLUSTERS + ". Default: ${DEFAULT-VALUE}.")
    private int clusters;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "For how long heartbeats are measured, " + LEAST_SECONDS + " to " + MOST_SECONDS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--pause",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "For how long the control plane is frozen, " + LEAST_SECONDS + " to " + MOST_SECONDS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int pause;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        require("--clusters", clusters, 2, MOST_CLUSTERS);
        require("--members", members, clusters, MOST_MEMBERS);
        require("--seconds", seconds, LEAST_SECONDS, MOST_SECONDS);
        require("--pause", pause, LEAST_SECONDS, MOST_SECONDS);
        ReportFile file = ReportFile.of(json);
        return StopSignal.guard(spec.commandLine().getErr(), () -> measure(file));
    }

    private static void require(String flag, int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(flag + ": must be " + least + " to " + most + ", not " + number);
        }
    }

    private int measure(ReportFile file) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        FleetReport report = new FleetRun(Home.current(), members, clusters, seconds, pause, line -> {
                    err.println("bench: " + line);
                    err.flush();
                })
                .run();
        spec.commandLine().getOut().print(report.text());
        spec.commandLine().getOut().flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return report.breaches().isEmpty() ? 0 : 1;
    }
}
