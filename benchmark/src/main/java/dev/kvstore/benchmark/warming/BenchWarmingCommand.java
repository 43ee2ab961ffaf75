package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.replay.ReplayOptions;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceOptions;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench warming}. */
@Command(
        name = "warming",
        header = "What warming another region is worth, and what it costs.",
        description =
                "What warming another region is worth, and what it costs. hits: the first half of a real service's requests"
                        + " at home, and the second half in regions that were given nothing, the hottest 10, 25 and 40 %% of"
                        + " what was stored, or everything. pace: how much of its bytes per second a warming copies, and what"
                        + " it does to the p99 of clients in both regions, 80 ms apart, with storage 20/40 ms away. Through"
                        + " stacks of its own; with the shared trace some 50 minutes and 6 GB in --folder, which it deletes."
                        + " Exit code 1 if a block was lost or wrong, a request failed, or a goal is missed.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class BenchWarmingCommand extends BenchCommand {
    private static final String FOLDER = "--folder";
    private static final int QUICK_REQUESTS = 600;
    private static final double QUICK_SPEEDUP = 40;
    private static final double MOST_SPEEDUP = 1e6;
    private static final long MOST_REQUESTS = 1_000_000_000_000_000L;
    private static final int AT_ONCE = 64;

    /** The parts that are measured. */
    public enum WarmingPart {
        HITS,
        PACE
    }

    @Option(names = "--only", paramLabel = "PART", description = "hits or pace. Default: both.")
    private @Nullable WarmingPart only;

    @Mixin
    private final TraceOptions traces = new TraceOptions();

    @Option(names = "--requests", paramLabel = "N", description = "Uses the first N only, 2 or more. Default: all.")
    private long requests = MOST_REQUESTS;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of generated requests. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--speedup",
            paramLabel = "X",
            defaultValue = "2",
            description =
                    "Factor by which requests come faster than in the trace, 0.1 to 1000000. What counts as hot goes by"
                            + " minutes of this run: the faster, the less it is what was used last. Default: ${DEFAULT-VALUE}.")
    private double speedup;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Bytes per block of 512 tokens of the trace, 1 to 67108864. Default: ${DEFAULT-VALUE}.")
    private int blockBytes;

    @Option(
            names = "--storage",
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "Storage of each region, for hits: filesystem or azurite. Default: ${DEFAULT-VALUE}.")
    private StorageKind storage = StorageKind.FILESYSTEM;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "10",
            description = "For pace: whiles without and with warming, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description = "Length of each, 1 to 600. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--rate",
            paramLabel = "BYTES",
            defaultValue = "20000000",
            description =
                    "For pace: what warming may copy per second, 1200000 to 10000000000. Default: ${DEFAULT-VALUE}.")
    private long rate;

    @Option(
            names = FOLDER,
            paramLabel = "FOLDER",
            description =
                    "Where the storages of all regions are; what is put there is deleted. One disk that writes of both"
                            + " regions are made durable on has each wait for the other's: in memory, such as under /dev/shm,"
                            + " they are apart as they would be. Default: target/ of this checkout.")
    private @Nullable Path folder;

    @Option(
            names = "--quick",
            description = "Only shows that it works: the first " + QUICK_REQUESTS + " requests at "
                    + (int) QUICK_SPEEDUP + " times their pace, one pair of 3 s, and no goals.")
    private boolean quick;

    @Override
    protected void check() {
        require("--requests", requests, 2, MOST_REQUESTS);
        if (!(speedup >= 0.1 && speedup <= MOST_SPEEDUP)) {
            throw new IllegalArgumentException("--speedup: must be 0.1 to 1000000, not " + speedup);
        }
        require("--block-bytes", blockBytes, 1, 64 << 20);
        require("--pairs", pairs, 1, 1_000);
        require("--seconds", seconds, 1, 600);
        require("--rate", rate, LiveLoad.BLOCK_BYTES, 10_000_000_000L);
        if (folder != null) {
            WritablePath.requireFolder(FOLDER, folder);
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        HitFigures hits = only == WarmingPart.PACE ? null : hits(progress);
        PaceFigures pace = only == WarmingPart.HITS ? null : pace(progress);
        return new WarmingReport(hits, pace, !quick);
    }

    private HitFigures hits(BenchProgress progress) throws IOException, InterruptedException {
        Trace trace = traces.trace(Home.current().path(), seed);
        progress.accept("reading the " + trace.source());
        Survey survey = Survey.of(trace, quick ? QUICK_REQUESTS : requests);
        progress.accept(survey.text());
        ReplayOptions options = new ReplayOptions(blockBytes, quick ? QUICK_SPEEDUP : speedup, AT_ONCE, Duration.ZERO);
        return inFolder(
                progress, folder -> new HitsRun(Home.current(), trace, survey, options, storage, progress).run(folder));
    }

    private PaceFigures pace(BenchProgress progress) throws IOException, InterruptedException {
        return inFolder(
                progress,
                folder -> new PaceRun(Home.current(), quick ? 1 : pairs, quick ? 3 : seconds, rate, progress)
                        .run(folder));
    }

    private interface FolderRun<T> {
        T in(Path folder) throws IOException, InterruptedException;
    }

    private <T> T inFolder(BenchProgress progress, FolderRun<T> run) throws IOException, InterruptedException {
        Path target = Home.current().target();
        Path parent = folder == null ? target : folder;
        Files.createDirectories(target);
        Files.createDirectories(parent);
        try (BenchFolder temporary = BenchFolder.in(parent, "kv-warming-")) {
            boolean done = false;
            try {
                T found = run.in(temporary.path());
                done = true;
                return found;
            } finally {
                if (!done) {
                    temporary.rescue("logs", target.resolve("kv-warming-logs"));
                    progress.accept("the processes' logs are kept in " + target.resolve("kv-warming-logs"));
                }
            }
        }
    }
}
