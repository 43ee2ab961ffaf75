package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.replay.ReplayOptions;
import dev.kvstore.benchmark.replay.ServiceFigures;
import dev.kvstore.benchmark.replay.ServiceReplay;
import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceRequest;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A trace's first half at home, and its second half in regions that were given more or less of what was stored; these
 * side by side, so that each has the same machine. For one thread.
 */
final class HitsRun {
    private static final String PARTITION = "warming";
    private static final long FIRST_MINUTES_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    /** More than storage takes: what is shown here is which blocks are there. */
    private static final long BYTES_PER_SECOND = 10_000_000_000L;

    private static final int REQUESTS_PER_SECOND = 100_000;

    /** Use is told every 5 s. */
    private static final Duration TOLD = Duration.ofSeconds(7);

    /** Many small processes: what they keep near does not matter here. */
    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "64M",
            "KVSTORE_TRANSFER_MEMORY", "130M",
            "KVSTORE_INBOUND_MEMORY", "65M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "16M");

    private final Home home;
    private final Trace trace;
    private final Survey survey;
    private final ReplayOptions options;
    private final StorageKind storage;
    private final BenchProgress progress;

    HitsRun(Home home, Trace trace, Survey survey, ReplayOptions options, StorageKind storage, BenchProgress progress) {
        this.home = home;
        this.trace = trace;
        this.survey = survey;
        this.options = options;
        this.storage = storage;
        this.progress = progress;
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
        long first = 0;
        long minutes = 0;
        long rest = 0;
        try (Requests requests = trace.open()) {
            long start = -1;
            for (long i = 0; i < survey.requests(); i++) {
                TraceRequest request = Objects.requireNonNull(requests.next());
                start = start < 0 ? request.timestampMillis() : start;
                double past = request.timestampMillis() - start - survey.seconds() * 500;
                if (past < 0) {
                    first++;
                } else if (past < FIRST_MINUTES_MILLIS) {
                    minutes++;
                } else {
                    rest++;
                }
            }
        }
        return new Cut(first, minutes, rest);
    }

    HitFigures run(Path folder) throws IOException, InterruptedException {
        Cut cut = cut();
        StackLayout layout = StackLayout.of(WarmedShare.ALL.size() + 1, 1, StackLayout.ROUND_TRIP);
        StackOptions stackOptions = StackOptions.onFreePorts(home, folder)
                .withStorage(storage)
                .withControlPlane(ControlPorts.FREE)
                .withLayout(layout)
                .withSettings(SETTINGS);
        progress.accept(
                "starting a control plane and a data plane in each of " + (WarmedShare.ALL.size() + 1) + " regions");
        try (LocalStack stack = LocalStack.start(stackOptions, new SecureRandom());
                var admin = Objects.requireNonNull(stack.controlPlane()).admin()) {
            progress.accept("%,d requests of the first half at home".formatted(cut.first()));
            ServiceFigures before = atHome(stack, cut);
            requireAll(before, "at home");
            TimeUnit.NANOSECONDS.sleep(TOLD.toNanos());
            StackWarmings warmings = new StackWarmings(admin);
            long hot = warmings.hotBlocks();
            List<WarmedRegion> given = new ArrayList<>();
            for (WarmedShare share : WarmedShare.ALL) {
                given.add(give(warmings, share, before.writtenBlocks() * options.blockBytes()));
            }
            progress.accept("%,d requests of the second half in %d regions"
                    .formatted(cut.minutes() + cut.rest(), WarmedShare.ALL.size()));
            return new HitFigures(
                    survey,
                    options.blockBytes(),
                    options.speedup(),
                    before.writtenBlocks(),
                    hot,
                    before.hitRatio(),
                    moved(stack, given, cut),
                    true);
        }
    }

    /** It ends early when this thread is to end, or too much fails. */
    private static void requireAll(ServiceFigures figures, String where) throws IOException, InterruptedException {
        if (figures.interrupted()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException(where);
            }
            throw new IOException("%s: %,d operations failed, the first of them: %s"
                    .formatted(
                            where,
                            figures.failed(),
                            figures.flaws().isEmpty() ? "" : figures.flaws().getFirst()));
        }
    }

    private static KvClient client(LocalStack stack, StackDataPlane dataPlane) {
        return KvClient.builder()
                .endpoints(dataPlane.endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(DEADLINE)
                .build();
    }

    private ServiceFigures atHome(LocalStack stack, Cut cut) throws IOException {
        try (KvClient client = client(stack, stack.dataPlanes(StackLayout.HOME).getFirst());
                Requests requests = trace.open()) {
            return new ServiceReplay(PARTITION, options).replay(client, requests, cut.first(), progress);
        }
    }

    /** The blocks that a region was given, and the seconds that copying them took. */
    private record WarmedRegion(WarmedShare share, long blocks, double seconds) {}

    private WarmedRegion give(StackWarmings warmings, WarmedShare share, long storedBytes) throws InterruptedException {
        if (share.percent() == 0) {
            return new WarmedRegion(share, 0, 0);
        }
        progress.accept("warming " + share.region() + " with " + share.text());
        long start = System.nanoTime();
        long bytes = share.percent() == 100 ? 0 : storedBytes / 100 * share.percent();
        String id = warmings.begin(share.region(), bytes, BYTES_PER_SECOND, REQUESTS_PER_SECOND);
        long copied = warmings.awaitDone(id).at("/blocks/copied").asLong();
        return new WarmedRegion(share, copied, (System.nanoTime() - start) / 1e9);
    }

    private List<HitFigures.RegionHits> moved(LocalStack stack, List<WarmedRegion> given, Cut cut)
            throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HitFigures.RegionHits>> all = new ArrayList<>();
            for (WarmedRegion one : given) {
                // One of them tells how far all are.
                BenchProgress told =
                        one.share().percent() == 0 ? progress : new BenchProgress(_ -> {}, Clock.systemUTC());
                all.add(threads.submit(() -> moved(stack, one, cut, told)));
            }
            List<HitFigures.RegionHits> regions = new ArrayList<>();
            try {
                for (Future<HitFigures.RegionHits> one : all) {
                    regions.add(one.get());
                }
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                throw new IOException("a region could not be measured: " + (cause == null ? e : cause).getMessage(), e);
            } finally {
                threads.shutdownNow();
            }
            return regions;
        }
    }

    private HitFigures.RegionHits moved(LocalStack stack, WarmedRegion given, Cut cut, BenchProgress told)
            throws IOException, InterruptedException {
        StackDataPlane dataPlane = stack.dataPlanes(given.share().region()).getFirst();
        try (KvClient client = client(stack, dataPlane);
                Requests requests = trace.open()) {
            for (long i = 0; i < cut.first(); i++) {
                var _ = requests.next();
            }
            ServiceReplay replay = new ServiceReplay(PARTITION, options);
            ServiceFigures first = replay.replay(client, requests, cut.minutes(), told);
            requireAll(first, given.share().region());
            ServiceFigures rest = cut.rest() == 0 ? first : replay.replay(client, requests, cut.rest(), told);
            requireAll(rest, given.share().region());
            long cached = cut.rest() == 0 ? first.cachedBlocks() : first.cachedBlocks() + rest.cachedBlocks();
            long blocks = cut.rest() == 0 ? first.blocks() : first.blocks() + rest.blocks();
            return new HitFigures.RegionHits(
                    given.share(),
                    given.blocks(),
                    given.seconds(),
                    (double) cached / blocks,
                    first.hitRatio(),
                    first.flaws().size() + rest.flaws().size());
        }
    }
}
