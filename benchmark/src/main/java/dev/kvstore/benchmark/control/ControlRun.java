package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.control.ControlCommand.ControlPart;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts, one after the other: pages, resolves and watchers over one control plane, the outage over another. */
final class ControlRun {
    private final Home home;
    private final int accounts;
    private final int watchers;
    private final int resolves;
    private final int outageSeconds;
    private final Consumer<String> progress;

    ControlRun(Home home, int accounts, int watchers, int resolves, int outageSeconds, Consumer<String> progress) {
        this.home = home;
        this.accounts = accounts;
        this.watchers = watchers;
        this.resolves = resolves;
        this.outageSeconds = outageSeconds;
        this.progress = progress;
    }

    /** Work with a stack that lives as long as it. */
    @FunctionalInterface
    private interface StackWork<T> {
        T run(LocalStack stack) throws InterruptedException;
    }

    ControlReport run(Set<ControlPart> parts) throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        ControlReport report = new ControlReport(load, null, null, null, null, null);
        if (!parts.equals(Set.of(ControlPart.OUTAGE))) {
            report = during(1, stack -> measure(stack, parts, load));
        }
        if (parts.contains(ControlPart.OUTAGE)) {
            OutageReport outage = during(2, stack -> new OutageRun(stack, outageSeconds, progress).run());
            report = report.withOutage(outage);
        }
        return report;
    }

    private ControlReport measure(LocalStack stack, Set<ControlPart> parts, double load) throws InterruptedException {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        ManyAccounts many = new ManyAccounts(accounts);
        Registrations registrations = new Registrations(control, many, progress);
        Registrations.RegistrationFigures registered = registrations.register();
        return new ControlReport(
                load,
                registered,
                parts.contains(ControlPart.PAGES) ? new PagesRun(control, many, progress).run() : null,
                parts.contains(ControlPart.RESOLVE) ? resolve(stack, control, many) : null,
                parts.contains(ControlPart.WATCH) ? new WatchRun(control, many, watchers, progress).run() : null,
                null);
    }

    private ResolveReport resolve(LocalStack stack, StackControlPlane control, ManyAccounts many)
            throws InterruptedException {
        ResolveReport report = new ResolveRun(control, many, resolves, progress).run();
        progress.accept("looking up through a data plane");
        return report.withCached(CachedLookups.run(stack, control));
    }

    private <T> T during(int dataPlanes, StackWork<T> work) throws IOException, InterruptedException {
        progress.accept("starting a control plane with " + (dataPlanes == 1 ? "a data plane" : "two data planes"));
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-control-")) {
            @Nullable T result = null;
            StackOptions options = StackOptions.onFreePorts(home, folder.path())
                    .withDataPlanes(dataPlanes)
                    .withControlPlane(ControlPorts.FREE)
                    .withPlatformToken();
            try (LocalStack stack = LocalStack.start(options, new SecureRandom())) {
                result = work.run(stack);
                return result;
            } finally {
                if (result == null) {
                    Path logs = home.target().resolve("kv-bench-logs");
                    folder.rescue("logs", logs);
                    progress.accept("the logs are kept in " + logs);
                }
            }
        }
    }
}
