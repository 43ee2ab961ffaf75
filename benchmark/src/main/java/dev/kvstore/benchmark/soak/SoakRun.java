package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.soak.Habit.SoakTarget;
import dev.kvstore.benchmark.soak.SoakCounts.SoakCount;
import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Path;
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

    private final int minutes;
    private final SplittableRandom random;
    private final BenchProgress progress;
    private final SoakCounts findings = new SoakCounts();
    private final Library library = new Library();
    private final WriteHabits writes = new WriteHabits(library, findings);
    private final List<KvClient> clients = new CopyOnWriteArrayList<>();
    private final List<Rest> rests = new ArrayList<>();

    SoakRun(int minutes, long seed, BenchProgress progress) {
        this.minutes = minutes;
        this.random = new SplittableRandom(seed);
        this.progress = progress;
    }

    SoakReport run() throws IOException, InterruptedException {
        progress.accept("starting a control plane and " + DATA_PLANES + " data planes");
        return BenchStack.during(SoakRun::options, progress, this::run);
    }

    private SoakReport run(LocalStack stack, Path folder) throws InterruptedException {
        long start = System.nanoTime();
        int rounds = Math.max(LEAST_ROUNDS, minutes / ROUND_MINUTES);
        Bystander bystander = new Bystander(stack.dataPlanes(), this::ejections);
        try (bystander) {
            progress.plan(rounds);
            for (int round = 1; round <= rounds; round++) {
                Map<SoakCount, Long> counts = findings.counts();
                progress.step(library.all().size() + " prompts, " + counts.get(SoakCount.DENIED) + " blocks denied, "
                        + counts.get(SoakCount.FAILED) + " calls failed");
                round(round, stack, folder, TimeUnit.MINUTES.toNanos(minutes) / rounds);
            }
        }
        return report(stack, bystander, (System.nanoTime() - start) / 1e9);
    }

    private SoakReport report(LocalStack stack, Bystander bystander, double seconds) {
        List<ClientCounters> counters = clients.stream().map(KvClient::counters).toList();
        findings.add(
                SoakCount.LEAKED,
                counters.stream().mapToLong(ClientCounters::leakedBlocks).sum());
        findings.add(
                SoakCount.DAMAGED,
                counters.stream().mapToLong(ClientCounters::damagedBlocks).sum());
        findings.add(
                SoakCount.HELD, rests.stream().filter(rest -> !rest.isClear()).count());
        findings.add(SoakCount.EJECTED, bystander.ejections());
        findings.add(SoakCount.EJECTED_WITHOUT_CAUSE, bystander.ejectionsWithoutCause());
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            Metrics metrics = dataPlane.metrics();
            findings.add(SoakCount.LEFT_MEMORY, (long) metrics.sum("kvstore_memory_tier_evictions_total"));
            findings.add(SoakCount.LEFT_DISK, (long) metrics.sum("kvstore_disk_tier_evictions_total"));
            findings.add(SoakCount.LEARNT, (long) metrics.sum("kvstore_presence_load_duration_seconds_count"));
        }
        return new SoakReport(
                seconds,
                findings.steps(),
                findings.counts(),
                bystander.longestSilenceMillis(),
                List.copyOf(rests),
                findings.messages());
    }

    /** Little memory, so that blocks and filters leave it all the time. */
    private static StackOptions options(StackOptions options) {
        return options.withDataPlanes(DATA_PLANES)
                .withControlPlane(ControlPorts.FREE)
                .withSettings(Map.of(
                        "KVSTORE_MEMORY_TIER_SIZE", "16M",
                        "KVSTORE_DISK_TIER_SIZE", "512M",
                        "KVSTORE_PRESENCE_FILTER_MEMORY", "1M"));
    }

    private void round(int round, LocalStack stack, Path folder, long nanos) throws InterruptedException {
        List<SoakTarget> places = places(stack, folder);
        try {
            Guests guests = Guests.begin(places, library, writes, random, findings);
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
        for (String endpoint : stack.endpoints()) {
            places.add(new SoakTarget(client(stack, KvClient.builder().endpoints(endpoint)), true));
        }
        String control = Objects.requireNonNull(stack.controlPlane()).address();
        KvClientBuilder routed = KvClient.builder().controlPlane(control).routeCache(folder.resolve("routes"));
        places.add(new SoakTarget(client(stack, routed), false));
        return places;
    }

    private KvClient client(LocalStack stack, KvClientBuilder builder) {
        KvClient client = builder.resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(DEADLINE)
                .build();
        clients.add(client);
        return client;
    }

    private long ejections() {
        return clients.stream()
                .map(KvClient::counters)
                .mapToLong(ClientCounters::ejections)
                .sum();
    }
}
