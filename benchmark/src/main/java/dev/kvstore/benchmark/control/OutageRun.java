package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.Call;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.ControlPlane;
import dev.kvstore.launcher.stack.DataPlane;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Kills a stack's control plane under load and starts it again. For one thread. */
final class OutageRun {
    private static final int SECONDS_BEFORE = 3;
    private static final int SECONDS_AFTER = 2;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MILLIS = 20;
    private static final int KEYS = 3;
    private static final String WATCHES = "kvstore_accounts_watch_connected";

    private final LocalStack stack;
    private final ControlPlane control;
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
            String doomed = CachedLookups.newKey(admin);
            require(timeUntilAll(doomed, OutageRun::isGood), "a new key was not taken before the outage");
            for (String endpoint : stack.endpoints()) {
                List<String> keys = new ArrayList<>();
                for (int i = 0; i < KEYS; i++) {
                    keys.add(CachedLookups.newKey(admin));
                }
                load.begin(endpoint, keys);
            }
            TimeUnit.SECONDS.sleep(SECONDS_BEFORE);

            progress.accept("killing the control plane for " + seconds + " s");
            control.kill();
            tally.gone(true);
            long killed = System.nanoTime();
            TimeUnit.SECONDS.sleep(seconds);
            double outage = Workers.secondsSince(killed);

            progress.accept("starting it again");
            double restartMillis = control.startAgain().toMillis();
            tally.gone(false);
            double watchAgainMillis = timeUntilWatched();

            progress.accept("making a key and revoking another");
            double newKeyMillis = timeUntilAll(CachedLookups.newKey(admin), OutageRun::isGood);
            admin.send(Call.delete(List.of("v1", "tenants", LocalStack.TENANT, "keys", new ApiKey(doomed).id())))
                    .accepted();
            double revokedMillis = timeUntilAll(doomed, client -> !isGood(client));
            TimeUnit.SECONDS.sleep(SECONDS_AFTER);
            load.end();
            return report(outage, restartMillis, watchAgainMillis, newKeyMillis, revokedMillis);
        }
    }

    private static void require(double millis, String flaw) {
        if (millis >= TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS)) {
            throw new LaunchException(flaw);
        }
    }

    private double timeUntilWatched() throws InterruptedException {
        long start = System.nanoTime();
        for (DataPlane dataPlane : stack.dataPlanes()) {
            while (dataPlane.metrics().sum(WATCHES) < 1) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw new LaunchException(dataPlane.name() + " does not watch the control plane again; its log: "
                            + dataPlane.process().log());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    /** Milliseconds until a client with this key finds it so at every data plane; 30,000 or more if it never does. */
    private double timeUntilAll(String key, Predicate<KvClient> found) throws InterruptedException {
        long start = System.nanoTime();
        for (String endpoint : stack.endpoints()) {
            try (KvClient client = OutageLoad.client(endpoint, key)) {
                while (!found.test(client) && System.nanoTime() - start < PATIENCE_NANOS) {
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                }
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static boolean isGood(KvClient client) {
        try {
            OutageLoad.ask(client);
            return true;
        } catch (KvStoreException e) {
            return switch (e.code()) {
                case UNAUTHENTICATED, PERMISSION_DENIED -> false;
                default -> throw e;
            };
        }
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
