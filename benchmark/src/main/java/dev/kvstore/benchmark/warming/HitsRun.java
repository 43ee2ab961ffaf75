package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.replay.ReplayOptions;
import dev.kvstore.benchmark.replay.ServiceFigures;
import dev.kvstore.benchmark.replay.ServiceReplay;
import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceRequest;
import dev.kvstore.benchmark.warming.HitFigures.RegionHits;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * A trace's first half at home, and its second half in regions that were given more or less of what was stored; these
 * side by side, so that each has the same machine. For one thread.
 */
record HitsRun(Trace trace, Survey survey, ReplayOptions options, BenchProgress progress) {
    private static final String PARTITION = "warming";
    private static final long FIRST_MINUTES_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    /** More than storage takes: what is shown here is which blocks are there. */
    private static final long BYTES_PER_SECOND = 10_000_000_000L;

    private static final int REQUESTS_PER_SECOND = 100_000;

    /** Use is told every 5 s. */
    private static final int TOLD_SECONDS = 7;

    /** Many small processes: what they keep near does not matter here. */
    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "64M",
            "KVSTORE_TRANSFER_MEMORY", "130M",
            "KVSTORE_INBOUND_MEMORY", "65M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "16M");

    static StackOptions options(StackOptions options) {
        return options.withControlPlane(ControlPorts.FREE)
                .withLayout(WarmedShare.LAYOUT)
                .withSettings(SETTINGS);
    }

    /** A client of the only data plane of a region. */
    static KvClient client(LocalStack stack, String region, Duration deadline) {
        return KvClient.builder()
                .endpoints(stack.dataPlanes(region).getFirst().endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(deadline)
                .build();
    }

    /**
     * Where the trace is cut.
     *
     * @param first requests of its first half
     * @param minutes requests of the ten minutes after that
     * @param rest requests of what follows
     */
    private record Cut(long first, long minutes, long rest) {}

    private Cut cut() throws IOException {
        long[] parts = new long[3];
        try (Requests requests = trace.open()) {
            long start = -1;
            for (long i = 0; i < survey.requests(); i++) {
                TraceRequest request = Objects.requireNonNull(requests.next());
                start = start < 0 ? request.timestampMillis() : start;
                double past = request.timestampMillis() - start - survey.seconds() * 500;
                parts[past < 0 ? 0 : past < FIRST_MINUTES_MILLIS ? 1 : 2]++;
            }
        }
        return new Cut(parts[0], parts[1], parts[2]);
    }

    HitFigures run(LocalStack stack) throws IOException, InterruptedException {
        Cut cut = cut();
        progress.accept("%,d requests of the first half at home".formatted(cut.first()));
        ServiceFigures before;
        try (KvClient client = client(stack, StackLayout.HOME, DEADLINE);
                Requests requests = trace.open()) {
            before = replay(new ServiceReplay(PARTITION, options), client, requests, cut.first(), progress);
        }
        TimeUnit.SECONDS.sleep(TOLD_SECONDS);
        long hot;
        List<WarmedRegion> given = new ArrayList<>();
        try (AdminCalls admin = AdminCalls.of(stack)) {
            StackWarmings warmings = new StackWarmings(admin);
            hot = warmings.hotBlocks();
            for (WarmedShare share : WarmedShare.values()) {
                given.add(give(warmings, share, before.writtenBlocks() * options.blockBytes()));
            }
        }
        progress.accept(
                "%,d requests of the second half in %d regions".formatted(cut.minutes() + cut.rest(), given.size()));
        return new HitFigures(
                survey,
                options.blockBytes(),
                options.speedup(),
                before.writtenBlocks(),
                hot,
                before.hitRatio(),
                moved(stack, given, cut));
    }

    /** Replays some requests; a replay ends early when its thread is to end, or too much fails. */
    private static ServiceFigures replay(
            ServiceReplay replay, KvClient client, Requests requests, long count, BenchProgress progress)
            throws IOException, InterruptedException {
        ServiceFigures figures = replay.replay(client, requests, count, progress);
        if (!figures.interrupted()) {
            return figures;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException();
        }
        throw new IOException("%,d operations failed, the first of them: %s"
                .formatted(
                        figures.failed(),
                        figures.flaws().isEmpty() ? "" : figures.flaws().getFirst()));
    }

    /** The blocks that a region was given, and the seconds that copying them took. */
    private record WarmedRegion(WarmedShare share, long blocks, double seconds) {}

    private WarmedRegion give(StackWarmings warmings, WarmedShare share, long storedBytes) throws InterruptedException {
        if (share == WarmedShare.COLD) {
            return new WarmedRegion(share, 0, 0);
        }
        progress.accept("warming " + share.region() + " with " + share);
        long start = System.nanoTime();
        long bytes = share == WarmedShare.ALL ? 0 : storedBytes / 100 * share.percent();
        String id = warmings.begin(share.region(), bytes, BYTES_PER_SECOND, REQUESTS_PER_SECOND);
        long copied =
                warmings.await(id, warming -> warming.path("state").asText().equals("done"));
        return new WarmedRegion(share, copied, (System.nanoTime() - start) / 1e9);
    }

    private List<RegionHits> moved(LocalStack stack, List<WarmedRegion> given, Cut cut) throws InterruptedException {
        ConcurrentNavigableMap<Integer, RegionHits> regions = new ConcurrentSkipListMap<>();
        CallLoad.calls(given.size(), 0, given.size(), i -> regions.put(i, moved(stack, given.get(i), cut)));
        return List.copyOf(regions.values());
    }

    private RegionHits moved(LocalStack stack, WarmedRegion given, Cut cut) throws IOException, InterruptedException {
        // One of them tells how far all are.
        BenchProgress told =
                given.share() == WarmedShare.COLD ? progress : new BenchProgress(_ -> {}, Clock.systemUTC());
        try (KvClient client = client(stack, given.share().region(), DEADLINE);
                Requests requests = trace.open()) {
            for (long i = 0; i < cut.first(); i++) {
                var _ = requests.next();
            }
            ServiceReplay replay = new ServiceReplay(PARTITION, options);
            List<ServiceFigures> parts = new ArrayList<>();
            parts.add(replay(replay, client, requests, cut.minutes(), told));
            if (cut.rest() > 0) {
                parts.add(replay(replay, client, requests, cut.rest(), told));
            }
            double cached =
                    parts.stream().mapToLong(ServiceFigures::cachedBlocks).sum();
            return new RegionHits(
                    given.share(),
                    given.blocks(),
                    given.seconds(),
                    cached / parts.stream().mapToLong(ServiceFigures::blocks).sum(),
                    parts.getFirst().hitRatio(),
                    parts.stream().mapToLong(part -> part.flaws().size()).sum());
        }
    }
}
