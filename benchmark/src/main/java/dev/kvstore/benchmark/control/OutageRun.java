package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Kills a stack's control plane under load and starts it again. For one thread. */
final class OutageRun {
    private static final int SECONDS_BEFORE = 3;
    private static final int SECONDS_AFTER = 2;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long POLL_MILLIS = 20;
    private static final int KEYS = 3;
    private static final String WATCHES = "kvstore_account_watch_connected";

    private final LocalStack stack;
    private final StackControlPlane control;
    private final int seconds;
    private final Consumer<String> progress;
    private final LoadTally tally = new LoadTally();

    OutageRun(LocalStack stack, int seconds, Consumer<String> progress) {
        this.stack = stack;
        this.control = Objects.requireNonNull(stack.controlPlane());
        this.seconds = seconds;
        this.progress = progress;
    }

    OutageReport run() throws InterruptedException {
        // A control plane that comes back has the same address.
        try (AdminClient admin = control.admin();
                OutageLoad load = new OutageLoad(tally)) {
            ApiKey doomed = new ApiKey(CachedLookups.newKey(admin));
            try (KeyTrial old = new KeyTrial(stack, doomed.text())) {
                if (old.untilTaken() >= KeyTrial.PATIENCE_MILLIS) {
                    throw new LaunchException("a data plane does not take a key that was just made");
                }
                begin(load, admin);
                TimeUnit.SECONDS.sleep(SECONDS_BEFORE);
                double outage = killAndWait();

                progress.accept("starting it again");
                double restartMillis = control.startAgain().toMillis();
                tally.gone(false);
                double watchAgainMillis = timeUntilWatched();

                progress.accept("making a key and revoking another");
                double newKeyMillis;
                try (KeyTrial made = new KeyTrial(stack, CachedLookups.newKey(admin))) {
                    newKeyMillis = made.untilTaken();
                }
                admin.send(RestRequest.delete(List.of("v1", "tenants", LocalStack.TENANT, "keys", doomed.id())))
                        .accepted();
                double revokedMillis = old.untilRefused();
                TimeUnit.SECONDS.sleep(SECONDS_AFTER);
                load.end();
                return report(outage, restartMillis, watchAgainMillis, newKeyMillis, revokedMillis);
            }
        }
    }

    private void begin(OutageLoad load, AdminClient admin) throws InterruptedException {
        for (String endpoint : stack.endpoints()) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                keys.add(CachedLookups.newKey(admin));
            }
            load.begin(endpoint, keys);
        }
    }

    /** How long it waited, in seconds. */
    private double killAndWait() throws InterruptedException {
        progress.accept("killing the control plane for " + seconds + " s");
        control.kill();
        tally.gone(true);
        long killed = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        return Workers.secondsSince(killed);
    }

    private double timeUntilWatched() throws InterruptedException {
        long start = System.nanoTime();
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            while (dataPlane.metrics().sum(WATCHES) < 1) {
                if (Workers.millisSince(start) > PATIENCE_MILLIS) {
                    throw new LaunchException(dataPlane.name() + " does not watch the control plane again; its log: "
                            + dataPlane.process().log());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        return Workers.millisSince(start);
    }

    private OutageReport report(
            double outage, double restartMillis, double watchAgainMillis, double newKeyMillis, double revokedMillis) {
        Map<String, Latencies.Percentiles> there = tally.whileThere();
        Map<String, Latencies.Percentiles> gone = tally.whileGone();
        return new OutageReport(
                outage,
                restartMillis,
                watchAgainMillis,
                count(there) + count(gone),
                count(gone),
                tally.failed(),
                tally.failures(),
                tally.pauseMillis(),
                there,
                gone,
                newKeyMillis,
                revokedMillis);
    }

    private static long count(Map<String, Latencies.Percentiles> latencies) {
        return latencies.values().stream()
                .mapToLong(Latencies.Percentiles::count)
                .sum();
    }
}
