package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.replay.ReplayOptions;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceOptions;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
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
                        + " Exit code 1 if a block was lost or wrong, a request failed, or a goal is missed.")
public final class BenchWarmingCommand extends BenchCommand {
    private static final String FOLDER = "--folder";
    private static final int QUICK_REQUESTS = 600;
    private static final double QUICK_SPEEDUP = 40;
    private static final double MOST_SPEEDUP = 1e6;
    private static final long MOST_REQUESTS = 1_000_000_000_000_000L;
    private static final int AT_ONCE = 64;

    /** Of a block of 512 tokens of the trace. */
    private static final int BLOCK_BYTES = 4_096;

    /** Of requests that are generated where there is no trace. */
    private static final long SEED = 1;

    private static final int PAIRS = 10;
    private static final int PAIR_SECONDS = 10;

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
            names = "--speedup",
            paramLabel = "X",
            defaultValue = "2",
            description =
                    "Factor by which requests come faster than in the trace, 0.1 to 1000000. What counts as hot goes by"
                            + " minutes of this run: the faster, the less it is what was used last. Default: ${DEFAULT-VALUE}.")
    private double speedup;

    @Option(
            names = "--storage",
            converter = StorageKind.Converter.class,
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "Storage of each region, for hits: filesystem or azurite. Default: ${DEFAULT-VALUE}.")
    private StorageKind storage = StorageKind.FILESYSTEM;

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
        Trace trace = traces.trace(Home.current().path(), SEED);
        progress.accept("reading the " + trace.source());
        Survey survey = Survey.of(trace, quick ? QUICK_REQUESTS : requests);
        progress.accept(survey.text());
        ReplayOptions replay = new ReplayOptions(BLOCK_BYTES, quick ? QUICK_SPEEDUP : speedup, AT_ONCE, Duration.ZERO);
        HitsRun run = new HitsRun(trace, survey, replay, progress);
        progress.accept("starting a control plane and six data planes, each in a region of its own");
        return BenchStack.during(
                folder(),
                options -> HitsRun.options(options).withStorage(storage),
                progress,
                (stack, _) -> run.run(stack));
    }

    private PaceFigures pace(BenchProgress progress) throws IOException, InterruptedException {
        PaceRun run = new PaceRun(quick ? 1 : PAIRS, quick ? 3 : PAIR_SECONDS, progress);
        progress.accept("starting a control plane and a data plane in each of 2 regions");
        return BenchStack.during(folder(), PaceRun::options, progress, (stack, _) -> run.run(stack));
    }

    private Path folder() {
        return folder == null ? Home.current().target() : folder;
    }
}
