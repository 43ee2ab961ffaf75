package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench failover}. */
@Command(
        name = "failover",
        header = "What clients notice when data planes, clusters and regions go.",
        description =
                "Kills, freezes and drains a process, a cluster and a region of a stack of its own, two regions 60 ms apart,"
                        + " while clients that know only the control plane look up, stream, read and write. Counts the"
                        + " requests that failed after the SDK's retries: a block that is not found is none. Takes some eight"
                        + " minutes. Exit code 1 if a request failed, a byte was wrong, or something dead or frozen stayed in"
                        + " routes for more than a lease.")
public final class BenchFailoverCommand extends BenchCommand {
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
            description = "Seconds that each part lasts, " + LEAST_SECONDS + " to " + MOST_SECONDS
                    + "; more than a lease of 15 s. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Override
    protected void check() {
        require("--seconds", seconds, LEAST_SECONDS, MOST_SECONDS);
        cases();
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        return new FailoverRun(seconds, progress).run(cases());
    }

    private List<FailoverCase> cases() {
        return only.isEmpty()
                ? FailoverCase.ALL
                : only.stream().map(FailoverCase::named).toList();
    }
}
