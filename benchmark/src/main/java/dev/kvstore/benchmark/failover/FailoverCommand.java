package dev.kvstore.benchmark.failover;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv bench failover}. */
@Command(
        name = "failover",
        description =
                "Kills, freezes and drains a process, a cluster and a region of a stack of its own, two regions 60 ms apart,"
                        + " while clients that know only the control plane look up, stream, read and write. Counts the"
                        + " requests that failed after the SDK's retries: a block that is not found is none. Takes some eight"
                        + " minutes. Exit code 1 if a request failed, a byte was wrong, or something dead or frozen stayed in"
                        + " routes for more than a lease.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class FailoverCommand implements Callable<Integer> {
    private static final int LEAST_SECONDS = 5;
    private static final int MOST_SECONDS = 600;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "CASE",
            description = "These cases alone: kill-, freeze- or drain-, with process, cluster or region.")
    private List<String> only = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "25",
            description = "How long each lasts, " + LEAST_SECONDS + " to " + MOST_SECONDS
                    + "; more than a lease of 15 s. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "--seconds: must be " + LEAST_SECONDS + " to " + MOST_SECONDS + ", not " + seconds);
        }
        List<FailoverCase> cases = only.isEmpty()
                ? FailoverCase.all()
                : only.stream().map(FailoverCase::named).toList();
        ReportFile file = ReportFile.of(json);
        return StopSignal.guard(spec.commandLine().getErr(), () -> run(cases, file));
    }

    private int run(List<FailoverCase> cases, ReportFile file) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter out = spec.commandLine().getOut();
        FailoverReport report = new FailoverRun(Home.current(), cases, seconds, line -> {
                    err.println("bench: " + line);
                    err.flush();
                })
                .run();
        out.print(report.text());
        report.breaches().forEach(breach -> out.println("FAILED: " + breach));
        out.flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return report.breaches().isEmpty() && !report.interrupted() ? 0 : 1;
    }
}
