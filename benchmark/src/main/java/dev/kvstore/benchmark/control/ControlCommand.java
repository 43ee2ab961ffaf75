package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench control}. */
@Command(
        name = "control",
        header = "The control plane with many accounts and watchers; data planes while it is killed.",
        description =
                "What the control plane does with many accounts, over stacks of its own in target/ that it deletes"
                        + " again: lists them by pages, resolves keys, tells watchers of changes; and what data planes do while"
                        + " it is killed (SIGKILL). Takes some ten minutes. Exit code 1 if a request failed or was answered"
                        + " wrongly, or a bound was broken: pages as fast at the end as at the beginning, resolve within 2 ms"
                        + " (p99, one at a time), no question asked for what is known, a change heard by all watchers within 1 s,"
                        + " a revoked key refused within 5 s of the control plane's return.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class ControlCommand extends BenchCommand {
    /** The parts that can be measured alone. */
    public enum ControlPart {
        PAGES,
        RESOLVE,
        WATCH,
        OUTAGE
    }

    private static final int LEAST_ACCOUNTS = 1_000;
    private static final int MOST_ACCOUNTS = 1_000_000;
    private static final int MOST_WATCHERS = 2_000;
    private static final int LEAST_RESOLVES = 1_000;
    private static final int MOST_RESOLVES = 10_000_000;
    private static final int MOST_SECONDS = 86_400;

    @Option(
            names = "--accounts",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Accounts that are registered, " + LEAST_ACCOUNTS + " to " + MOST_ACCOUNTS + ": "
                    + ManyAccounts.OVER_REST + " of them over REST, the others by SQL. Default: ${DEFAULT-VALUE}.")
    private int accounts;

    @Option(
            names = "--watchers",
            paramLabel = "N",
            defaultValue = "200",
            description = "Watchers of changes, 1 to " + MOST_WATCHERS + ". Default: ${DEFAULT-VALUE}.")
    private int watchers;

    @Option(
            names = "--resolves",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Resolutions that are measured, one at a time and then eight at a time, " + LEAST_RESOLVES
                    + " to " + MOST_RESOLVES + ". Default: ${DEFAULT-VALUE}.")
    private int resolves;

    @Option(
            names = "--outage",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "Seconds for which the control plane is away, up to " + MOST_SECONDS
                    + "; 0 leaves that out. Default: ${DEFAULT-VALUE}.")
    private int outage;

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "One part alone: pages, resolve, watch or outage. Default: all.")
    private @Nullable ControlPart only;

    @Override
    protected void check() {
        require("--accounts", accounts, LEAST_ACCOUNTS, MOST_ACCOUNTS);
        require("--watchers", watchers, 1, MOST_WATCHERS);
        require("--resolves", resolves, LEAST_RESOLVES, MOST_RESOLVES);
        require("--outage", outage, 0, MOST_SECONDS);
        if (parts().isEmpty()) {
            throw new IllegalArgumentException("--outage: 0 leaves out what --only names; leave one of the two out");
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new ControlRun(Home.current(), accounts, watchers, resolves, outage, progress).run(parts());
    }

    private Set<ControlPart> parts() {
        Set<ControlPart> parts = only == null ? EnumSet.allOf(ControlPart.class) : EnumSet.of(only);
        if (outage == 0) {
            parts.remove(ControlPart.OUTAGE);
        }
        return parts;
    }
}
