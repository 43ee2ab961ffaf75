package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench routes}. */
@Command(
        name = "routes",
        header = "Routes for many clients, and how soon they hear of a change.",
        description =
                "What the control plane does for clients that ask where to go, with many clusters, simulated over a"
                        + " stack of its own in target/ that it deletes again: answers routes, spreads work, and tells watchers"
                        + " while a cluster drains. Takes some three minutes. Exit code 1 if a bound was broken: a route answered"
                        + " within 2 ms (p99, by the control plane's clock), work within 10 %% of headroom, all watchers told within"
                        + " 2 s.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class BenchRoutesCommand extends BenchCommand {
    private static final int LEAST_CLUSTERS = 20;
    private static final int MOST_CLUSTERS = 10_000;
    private static final int MOST_MEMBERS = 100_000;
    private static final int MOST_WATCHERS = 50_000;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Clusters, in ten regions, " + LEAST_CLUSTERS + " to " + MOST_CLUSTERS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int clusters;

    @Option(
            names = "--members",
            paramLabel = "N",
            defaultValue = "2000",
            description =
                    "Data planes, at least as many as clusters, up to " + MOST_MEMBERS + ". Default: ${DEFAULT-VALUE}.")
    private int members;

    @Option(
            names = "--watchers",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Clients that watch, on a connection for each hundred, 1 to " + MOST_WATCHERS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int watchers;

    @Override
    protected void check() {
        require("--clusters", clusters, LEAST_CLUSTERS, MOST_CLUSTERS);
        require("--members", members, clusters, MOST_MEMBERS);
        require("--watchers", watchers, 1, MOST_WATCHERS);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new RoutesRun(Home.current(), clusters, members, watchers, progress).run();
    }
}
