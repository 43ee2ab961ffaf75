package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The benchmark's course: a stack per storage, everything warmed up, then round after round. For one thread. */
final class MainJobRun {
    /** Served by a thread each; the data plane has as many on a machine of two cores. */
    static final int CONNECTIONS = 2;

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final double MILLI = 1e-3;

    private final Home home;
    private final MainJobOptions options;
    private final Consumer<String> progress;
    private final List<MainJobReport.ServerFigures> servers = new ArrayList<>();
    private final List<OperationSeries> series = new ArrayList<>();

    MainJobRun(Home home, MainJobOptions options, Consumer<String> progress) {
        this.home = home;
        this.options = options;
        this.progress = progress;
    }

    MainJobReport run() throws IOException, InterruptedException {
        Files.createDirectories(home.target());
        for (StorageKind storage : options.storages()) {
            try (BenchFolder folder = BenchFolder.in(home.target(), "kv-bench-")) {
                StackOptions stackOptions = StackOptions.onFreePorts(home, folder.path())
                        .withDataPlanes(1)
                        .withStorage(storage);
                progress.accept("starting a data plane over " + storage + " storage");
                boolean done = false;
                try (LocalStack stack = LocalStack.start(stackOptions, new SecureRandom())) {
                    measure(storage, stack, folder);
                    done = true;
                } finally {
                    if (!done) {
                        Path logs = home.target().resolve("kv-bench-logs");
                        folder.rescue("logs", logs);
                        progress.accept("the data plane's log is kept in " + logs);
                    }
                }
            }
        }
        return new MainJobReport(
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                options.blockBytes(),
                CONNECTIONS,
                options.time().toMillis() * MILLI,
                options.warmUp().toMillis() * MILLI,
                List.copyOf(servers),
                List.copyOf(series));
    }

    private void measure(StorageKind storage, LocalStack stack, BenchFolder folder)
            throws IOException, InterruptedException {
        StackDataPlane dataPlane = stack.dataPlane(0);
        long idleBytes = dataPlane.process().usage().residentBytes();
        try (KvClient client = client(stack)) {
            progress.accept("storing what will be read");
            double tierBytes = dataPlane.metrics().sum("kvstore_memory_tier_limit_bytes");
            List<MainJobOperation> operations =
                    new MainJobOperations(options, storage, client, folder, tierBytes).all();
            OperationLoad load = new OperationLoad(dataPlane);
            for (MainJobOperation operation : operations) {
                progress.accept("warming up: " + operation.name());
                load.run(operation, options.mostClients(), options.warmUp());
            }
            measure(storage, operations, load);
        }
        servers.add(new MainJobReport.ServerFigures(
                storage.toString(),
                stack.startTimes().getFirst().toMillis(),
                idleBytes,
                dataPlane.process().usage().residentBytes(),
                dataPlane.metrics().sum("kvstore_memory_tier_used_bytes")));
    }

    /** Rounds over everything: what disturbs the machine for a while does not hit one series alone. */
    private void measure(StorageKind storage, List<MainJobOperation> operations, OperationLoad load)
            throws IOException, InterruptedException {
        List<List<OperationMeasurement>> found = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            int next = 0;
            for (MainJobOperation operation : operations) {
                progress.accept("round %d of %d: %s".formatted(round, options.rounds(), operation.name()));
                for (int clients : options.clients()) {
                    if (round == 1) {
                        found.add(new ArrayList<>());
                    }
                    found.get(next++).add(load.run(operation, clients, options.time()));
                }
            }
        }
        int next = 0;
        for (MainJobOperation operation : operations) {
            for (int clients : options.clients()) {
                series.add(new OperationSeries(
                        storage.toString(),
                        operation.name(),
                        operation.unit(),
                        clients,
                        List.copyOf(found.get(next++))));
            }
        }
    }

    private static KvClient client(LocalStack stack) {
        return KvClient.builder()
                .endpoints(stack.dataPlane(0).endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .connectionsPerEndpoint(CONNECTIONS)
                .deadline(DEADLINE)
                .build();
    }
}
