package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
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
                        + " a revoked key refused within 5 s of the control plane's return.")
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
        require("--outage", outage, 0, MOST_SECONDS);
        if (parts().isEmpty()) {
            throw new IllegalArgumentException("--outage: 0 leaves out what --only names; leave one of the two out");
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        Set<ControlPart> parts = parts();
        ControlReport report = new ControlReport(null, null, null, null, null);
        if (!parts.equals(Set.of(ControlPart.OUTAGE))) {
            report = during(1, progress, (stack, _) -> measure(stack, parts, progress));
        }
        if (parts.contains(ControlPart.OUTAGE)) {
            report = report.withOutage(during(2, progress, (stack, _) -> new OutageRun(stack, outage, progress).run()));
        }
        return report;
    }

    private ControlReport measure(LocalStack stack, Set<ControlPart> parts, BenchProgress progress)
            throws InterruptedException {
        ManyAccounts many = new ManyAccounts(accounts);
        return new ControlReport(
                new Registrations(stack, many, progress).register(),
                parts.contains(ControlPart.PAGES) ? new PagesRun(stack, many, progress).run() : null,
                parts.contains(ControlPart.RESOLVE) ? new ResolveRun(stack, many, progress).run() : null,
                parts.contains(ControlPart.WATCH) ? new WatchRun(stack, many, watchers, progress).run() : null,
                null);
    }

    private static <T> T during(int dataPlanes, BenchProgress progress, BenchStack.StackWork<T> work)
            throws IOException, InterruptedException {
        progress.accept("starting a control plane with " + (dataPlanes == 1 ? "a data plane" : "two data planes"));
        return BenchStack.during(
                options -> options.withDataPlanes(dataPlanes)
                        .withControlPlane(ControlPorts.FREE)
                        .withPlatformToken(),
                progress,
                work);
    }

    private Set<ControlPart> parts() {
        Set<ControlPart> parts = only == null ? EnumSet.allOf(ControlPart.class) : EnumSet.of(only);
        if (outage == 0) {
            parts.remove(ControlPart.OUTAGE);
        }
        return parts;
    }
}
