package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Rounds of clients that come, do as they like, and go; after each round it looks at the memory that is still held. For
 * one thread.
 */
final class SoakRun {
    private static final int DATA_PLANES = 2;
    private static final int ROUND_MINUTES = 5;
    private static final int LEAST_ROUNDS = 3;

    // Long pauses count.
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    private final Home home;
    private final int minutes;
    private final SplittableRandom random;
    private final BenchProgress progress;
    private final SoakCounts findings = new SoakCounts();
    private final Library library = new Library();
    private final WriteHabits writes = new WriteHabits(library, findings);
    private final List<KvClient> clients = new CopyOnWriteArrayList<>();
    private final List<Rest> rests = new ArrayList<>();

    SoakRun(Home home, int minutes, long seed, BenchProgress progress) {
        this.home = home;
        this.minutes = minutes;
        this.random = new SplittableRandom(seed);
        this.progress = progress;
    }

    SoakReport run() throws IOException, InterruptedException {
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-soak-")) {
            boolean done = false;
            try {
                SoakReport report = run(folder.path());
                done = report.holds();
                return report;
            } finally {
                if (!done) {
                    Path logs = home.target().resolve("kv-bench-logs");
                    folder.rescue("logs", logs);
                    progress.accept("the processes' logs are kept in " + logs);
                }
            }
        }
    }

    private SoakReport run(Path folder) throws InterruptedException {
        long start = System.nanoTime();
        int rounds = Math.max(LEAST_ROUNDS, minutes / ROUND_MINUTES);
        progress.accept("starting a control plane and " + DATA_PLANES + " data planes");
        try (LocalStack stack = LocalStack.start(options(folder), new SecureRandom())) {
            Bystander bystander = new Bystander(stack.dataPlanes(), this::ejections);
            try (bystander) {
                progress.plan(rounds);
                for (int round = 1; round <= rounds; round++) {
                    progress.step(library.all().size() + " prompts, " + findings.denied() + " blocks denied, "
                            + findings.failed() + " calls failed");
                    round(round, stack, folder, TimeUnit.MINUTES.toNanos(minutes) / rounds);
                }
            }
            return report(stack, bystander, (System.nanoTime() - start) / 1e9);
        }
    }

    private SoakReport report(LocalStack stack, Bystander bystander, double seconds) {
        List<ClientCounters> counters = clients.stream().map(KvClient::counters).toList();
        return new SoakReport(
                seconds,
                findings.steps(),
                SoakReport.SoakBlocks.of(findings),
                SoakReport.Calls.of(findings),
                new SoakReport.Ejections(
                        bystander.ejections(), bystander.ejectionsWithoutCause(), bystander.longestSilenceMillis()),
                SoakReport.SoakEvictions.of(
                        stack.dataPlanes().stream().map(StackDataPlane::metrics).toList()),
                counters.stream().mapToLong(ClientCounters::leakedBlocks).sum(),
                counters.stream().mapToLong(ClientCounters::damagedBlocks).sum(),
                List.copyOf(rests),
                findings.messages());
    }

    /** Little memory, so that blocks and filters leave it all the time. */
    private StackOptions options(Path folder) {
        return StackOptions.onFreePorts(home, folder)
                .withDataPlanes(DATA_PLANES)
                .withControlPlane(ControlPorts.FREE)
                .withSettings(Map.of(
                        "KVSTORE_MEMORY_TIER_SIZE", "16M",
                        "KVSTORE_DISK_TIER_SIZE", "512M",
                        "KVSTORE_PRESENCE_FILTER_MEMORY", "1M"));
    }

    private void round(int round, LocalStack stack, Path folder, long nanos) throws InterruptedException {
        List<SoakTarget> places = places(stack, folder);
        try {
            Guests guests = new Guests(library, writes, findings);
            guests.begin(places, random);
            TimeUnit.NANOSECONDS.sleep(nanos);
            guests.end();
        } finally {
            places.forEach(place -> place.client().close());
        }
        rests.add(Rest.await(round, stack.dataPlanes()));
    }

    /** A client for each data plane, and one that goes by the control plane's routes. */
    private List<SoakTarget> places(LocalStack stack, Path folder) {
        List<SoakTarget> places = new ArrayList<>();
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            places.add(new SoakTarget(
                    KvClient.builder()
                            .endpoints(dataPlane.endpoint())
                            .resource(LocalStack.RESOURCE)
                            .apiKey(stack.key().text())
                            .deadline(DEADLINE)
                            .build(),
                    true));
        }
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        places.add(new SoakTarget(
                KvClient.builder()
                        .controlPlane(control.address())
                        .routeCache(folder.resolve("routes"))
                        .resource(LocalStack.RESOURCE)
                        .apiKey(stack.key().text())
                        .deadline(DEADLINE)
                        .build(),
                false));
        places.forEach(place -> clients.add(place.client()));
        return places;
    }

    private long ejections() {
        return clients.stream()
                .map(KvClient::counters)
                .mapToLong(ClientCounters::ejections)
                .sum();
    }
}
