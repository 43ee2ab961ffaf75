package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Registers regions, tenants and accounts. For one thread. */
final class Registrations {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int CONNECTIONS = 16;
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 100;

    // No program listens there: the benchmark itself reports that the storage is good.
    private static final String ENDPOINT = "http://127.0.0.1:9/bench";

    /**
     * How fast that was.
     *
     * @param overRest accounts registered over REST, on 16 connections
     * @param put how long each took
     * @param sqlSeconds for all the others
     */
    record RegistrationFigures(
            int accounts, int overRest, double restPerSecond, Latencies.Percentiles put, double sqlSeconds) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "%d accounts: %d over REST, %.0f per second on %d connections (PUT p50 %.1f ms, p99 %.1f ms);"
                            + " the others by SQL in %.1f s%n",
                    accounts,
                    overRest,
                    restPerSecond,
                    CONNECTIONS,
                    put.p50Millis(),
                    put.p99Millis(),
                    sqlSeconds);
        }
    }

    private final StackControlPlane control;
    private final ManyAccounts many;
    private final Consumer<String> progress;

    Registrations(StackControlPlane control, ManyAccounts many, Consumer<String> progress) {
        this.control = control;
        this.many = many;
        this.progress = progress;
    }

    RegistrationFigures register() throws InterruptedException {
        try (AdminClient admin = control.admin();
                ControlChannels channels = new ControlChannels(control, 1);
                Trials trials = new Trials(channels)) {
            for (String region : ManyAccounts.REGIONS) {
                put(admin, JSON.objectNode(), "regions", region);
            }
            for (String tenant : ManyAccounts.tenants()) {
                put(admin, JSON.objectNode(), "tenants", tenant);
            }
            put(admin, JSON.objectNode(), "tenants", ManyAccounts.FEW);
            trials.begin();
            List<Integer> overRest = many.overRest().boxed().toList();
            progress.accept("registering " + overRest.size() + " accounts over REST");
            Latencies latencies = new Latencies();
            long start = System.nanoTime();
            Workers.each(CONNECTIONS, overRest, account -> {
                long begun = System.nanoTime();
                put(admin, account(account), "accounts", many.name(account));
                latencies.addSince(begun);
            });
            double seconds = Workers.secondsSince(start);
            trials.report();
            awaitReady(trials, overRest.size());
            progress.accept("registering the other " + (many.count() - overRest.size()) + " by SQL");
            long sql = System.nanoTime();
            try (OwnDatabase database = OwnDatabase.of(control)) {
                database.fill(many);
            }
            return new RegistrationFigures(
                    many.count(),
                    overRest.size(),
                    overRest.size() / seconds,
                    latencies.percentiles(),
                    Workers.secondsSince(sql));
        }
    }

    private static ObjectNode account(int account) {
        ObjectNode spec = JSON.objectNode().put("tenant", ManyAccounts.tenant(account));
        spec.putArray("replicas")
                .addObject()
                .put("region", ManyAccounts.region(account))
                .put("endpoint", ENDPOINT)
                .put("container", ManyAccounts.container(account))
                .put("credential", "managed-identity")
                .put("vouched", true);
        return spec;
    }

    private static void awaitReady(Trials trials, int accounts) throws InterruptedException {
        long start = System.nanoTime();
        while (trials.reported() < accounts) {
            if (System.nanoTime() - start > READY_WITHIN.toNanos()) {
                throw new LaunchException("only " + trials.reported() + " of " + accounts
                        + " accounts were given to be tried within " + READY_WITHIN.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static void put(AdminClient admin, ObjectNode spec, String kind, String name) throws InterruptedException {
        admin.send(RestRequest.put(List.of("v1", kind, name), spec)).accepted();
    }
}
