package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.benchmark.sweep.step.Data;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.settings.FirstFlags;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench sweep}. */
@FirstFlags({
    "--quick",
    "--concurrency",
    "--rate",
    "--seconds",
    "--rounds",
    "--load",
    "--data",
    "--block-bytes",
    "--storage",
    "--json",
    "--report",
    "--endpoint",
    "--resource",
    "--key-file"
})
@Command(
        name = "sweep",
        header = "One load at rising concurrency: where the knee is, and how far to load the service.",
        description =
                "One load at rising concurrency: iterations of 7 Lookups, 6 Reads and 3 Writes, or one of these alone, through"
                        + " the Java SDK, on one data plane and split over two, first closed loop, then open loop at shares of"
                        + " the peak. Says where the knee is and how far to load the service for a latency. Every answer is checked; exit code 1 if a block"
                        + " was lost or wrong. By default over a stack of its own on free ports, 15 minutes and up to 10 GB in"
                        + " target/, which it deletes.")
public final class SweepCommand extends BenchCommand {
    /** Two: how a service does that has a process for each of two NUMA nodes. */
    private static final int DATA_PLANES = 2;

    @Mixin
    private final SweepFlags flags = new SweepFlags();

    @Option(
            names = "--storage",
            converter = StorageKind.Converter.class,
            paramLabel = "KIND",
            description = "Storage of the stack: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private StorageKind storage = StorageKind.FILESYSTEM;

    @Option(
            names = "--added-storage-latency",
            paramLabel = "get=T,put=T",
            description = "How much longer every read from and write to the stack's storage takes than it would, as in"
                    + " get=20ms,put=40ms. Default: none.")
    private String addedStorageLatency = "";

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    @ArgGroup(exclusive = false, heading = "Instead of a stack of its own:%n")
    private @Nullable RunningFlags running;

    @Override
    protected void check() {
        for (String flag : List.of("--concurrency", "--rate", "--seconds", "--warmup", "--rounds")) {
            if (flags.quick && named(flag)) {
                throw new IllegalArgumentException("--quick: has its own " + flag + "; leave one of the two out");
            }
        }
        if (running != null) {
            for (String flag : List.of("--storage", "--added-storage-latency", SlowServer.FLAG)) {
                if (named(flag)) {
                    throw new IllegalArgumentException(flag + ": is of a stack of our own; leave it or --endpoint out");
                }
            }
            if (flags.data != Data.HOT && flags.stockBlocks == null) {
                throw new IllegalArgumentException(
                        "--stock-blocks: give more blocks than the service at --endpoint holds in memory, so that they are"
                                + " read from " + flags.data);
            }
            running.access(System.getenv());
        }
        flags.check();
        storage();
        slowServer.time();
    }

    private SweptService.OwnStorage storage() {
        return new SweptService.OwnStorage(storage, StorageLatency.parse(addedStorageLatency));
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        SweepRun run = new SweepRun(flags, progress);
        return running == null
                ? run.overStack(storage(), slowServer.time(), DATA_PLANES)
                : run.overRunning(running.access(System.getenv()), running.metrics());
    }
}
