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

/** {@code kv bench routes}. */
@Command(
        name = "routes",
        description =
                "What the control plane does for clients that ask where to go, with many clusters, simulated over a"
                        + " stack of its own in target/ that it deletes again: answers routes, spreads work, and tells watchers"
                        + " while a cluster drains. Takes some three minutes. Exit code 1 if a bound was broken: a route answered"
                        + " within 2 ms (p99, by the control plane's clock), work within 10 % of headroom, all watchers told within"
                        + " 2 s.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class RoutesCommand implements Callable<Integer> {
    private static final int LEAST_CLUSTERS = 20;
    private static final int MOST_CLUSTERS = 10_000;
    private static final int MOST_MEMBERS = 100_000;
    private static final int MOST_WATCHERS = 50_000;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "1000",
            description = "In ten regions, " + LEAST_CLUSTERS + " to " + MOST_CLUSTERS + ". Default: ${DEFAULT-VALUE}.")
    private int clusters;

    @Option(
            names = "--members",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many processes, at least as many as clusters, up to " + MOST_MEMBERS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int members;

    @Option(
            names = "--watchers",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many watch, on a connection for each hundred, 1 to " + MOST_WATCHERS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int watchers;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        require("--clusters", clusters, LEAST_CLUSTERS, MOST_CLUSTERS);
        require("--members", members, clusters, MOST_MEMBERS);
        require("--watchers", watchers, 1, MOST_WATCHERS);
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
        RoutesReport report = new RoutesRun(Home.current(), clusters, members, watchers, line -> {
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
