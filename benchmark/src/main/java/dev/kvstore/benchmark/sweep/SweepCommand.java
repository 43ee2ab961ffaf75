package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.settings.FirstFlags;
import java.io.IOException;
import java.time.Duration;
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
                        + " target/, which it deletes.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class SweepCommand extends BenchCommand {
    private static final int MOST_PROMPT_BLOCKS = 1_000;
    private static final int LEAST_STOCK_BLOCKS = 16;
    private static final int LEAST_BLOCK_BYTES = 512;
    private static final int MOST_BLOCK_BYTES = 16 << 20;
    private static final int MOST_STOCK_BLOCKS = 200_000;
    private static final int MOST_CLIENTS = 2_000;
    private static final int MOST_STEPS = 100;
    private static final int MOST_PROCESSES = 16;
    private static final int MOST_CONNECTIONS = 64;
    private static final int MOST_SECONDS = 3_600;
    private static final long MEGABYTE = 1_000_000;
    private static final Duration LEAD = Duration.ofSeconds(1);

    @Option(
            names = "--load",
            paramLabel = "KIND",
            defaultValue = "mixed",
            description =
                    "An iteration of a client: ${COMPLETION-CANDIDATES}. Mixed is 7 Lookups, 6 Reads and 3 Writes, each"
                            + " other one a single call. Default: ${DEFAULT-VALUE}.")
    private Mix mix = Mix.MIXED;

    @Option(
            names = "--prompt-blocks",
            paramLabel = "N",
            defaultValue = "16",
            description = "Blocks of a prompt that is read, looked up, or written as one stream, 1 to "
                    + MOST_PROMPT_BLOCKS + ". Default: ${DEFAULT-VALUE}.")
    private int promptBlocks;

    @Option(
            names = "--data",
            paramLabel = "WHERE",
            defaultValue = "hot",
            description =
                    "Place of the blocks that are read: hot (in memory), disk (on a local disk) or cold (in storage"
                            + " alone). Default: ${DEFAULT-VALUE}.")
    private Data data = Data.HOT;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "1200000",
            description = "Bytes per block of 128 tokens, " + LEAST_BLOCK_BYTES + " to " + MOST_BLOCK_BYTES
                    + ". Default: ${DEFAULT-VALUE}.")
    private int blockBytes;

    @Option(
            names = "--stock-blocks",
            paramLabel = "N",
            description =
                    "Blocks that are read, " + LEAST_STOCK_BLOCKS + " to " + MOST_STOCK_BLOCKS
                            + ", rounded up to whole prompts. Default: as many as the data planes' memory holds, or far more than it does.")
    private @Nullable Integer stockBlocks;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,5,10,20,50,100,200",
            description =
                    "Clients of the closed loop, 1 to " + MOST_CLIENTS + ", a step each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> concurrency = List.of();

    @Option(
            names = "--rate",
            paramLabel = "R",
            split = ",",
            defaultValue = "50%,70%,90%",
            description =
                    "Steps of the open loop: iterations a second, as in 200, or shares of the closed loop's peak, as in"
                            + " 80%%; none for no open loop. Default: ${DEFAULT-VALUE}.")
    private List<String> rates = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description = "Length of each step, 1 to " + MOST_SECONDS + ". Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            defaultValue = "8",
            description = "Seconds of load on one data plane and on both before the first step, 1 to " + MOST_SECONDS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "Measurements of each step, 1 to " + MOST_STEPS + ", all steps in turn. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Client processes, 1 to " + MOST_PROCESSES
                    + ", each with a JVM of its own. Default: ${DEFAULT-VALUE}.")
    private int processes;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections of each client process to each data plane, 1 to " + MOST_CONNECTIONS
                    + "; its clients share them. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--most-written",
            paramLabel = "MB",
            defaultValue = "2000",
            description = "A step ends early when so much was written, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
    private int mostWritten;

    @Option(
            names = "--target",
            paramLabel = "T",
            description = "Say how many servers like this one it takes for so much: iterations a second, as in 2000, or"
                    + " bytes both ways, as in 10GB/s.")
    private @Nullable String target;

    @Option(
            names = "--storage",
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "Storage of the stack: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private StorageKind storage = StorageKind.FILESYSTEM;

    @Option(
            names = "--added-storage-latency",
            paramLabel = "get=T,put=T",
            defaultValue = "",
            description = "How much longer every read from and write to the stack's storage takes than it would, as in"
                    + " get=20ms,put=40ms. Default: none.")
    private String addedStorageLatency = "";

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    @ArgGroup(exclusive = false, heading = "Instead of a stack of its own:%n")
    private @Nullable RunningFlags running;

    @Option(
            names = "--quick",
            description =
                    "Shows that it works, and roughly how fast: 1, 5 and 20 clients and 70%% of the peak, 2 s each, one"
                            + " round. Not together with --concurrency, --rate, --seconds, --warmup or --rounds.")
    private boolean quick;

    @Override
    protected void check() {
        for (String flag : List.of("--concurrency", "--rate", "--seconds", "--warmup", "--rounds")) {
            if (quick && named(flag)) {
                throw new IllegalArgumentException("--quick: has its own " + flag + "; leave one of the two out");
            }
        }
        if (running != null) {
            for (String flag : List.of("--storage", "--added-storage-latency", SlowServer.FLAG)) {
                if (named(flag)) {
                    throw new IllegalArgumentException(flag + ": is of a stack of our own; leave it or --endpoint out");
                }
            }
            if (data != Data.HOT && stockBlocks == null) {
                throw new IllegalArgumentException(
                        "--stock-blocks: give more blocks than the service at --endpoint holds in memory, so that they are"
                                + " read from " + data);
            }
            running.access(System.getenv());
        }
        options();
        storage();
        slowServer.time();
    }

    private OwnService.OwnStorage storage() {
        return new OwnService.OwnStorage(storage, StorageLatency.parse(addedStorageLatency));
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        SweepRun run = new SweepRun(Home.current(), options(), progress);
        return running == null ? run.run(storage(), slowServer.time()) : run.run(running.access(System.getenv()));
    }

    private SweepOptions options() {
        require("--block-bytes", blockBytes, LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES);
        int blocks = stockBlocks == null ? Room.blocks(data, blockBytes) : stockBlocks;
        require("--prompt-blocks", promptBlocks, 1, MOST_PROMPT_BLOCKS);
        require("--stock-blocks", blocks, LEAST_STOCK_BLOCKS, MOST_STOCK_BLOCKS);
        require("--concurrency: how many numbers", concurrency.size(), 1, MOST_STEPS);
        concurrency.forEach(clients -> require("--concurrency", clients, 1, MOST_CLIENTS));
        require("--seconds", seconds, 1, MOST_SECONDS);
        require("--warmup", warmUp, 1, MOST_SECONDS);
        require("--rounds", rounds, 1, MOST_STEPS);
        require("--processes", processes, 1, MOST_PROCESSES);
        require("--connections", connections, 1, MOST_CONNECTIONS);
        require("--most-written", mostWritten, 1, MEGABYTE);
        SweepOptions all = new SweepOptions(
                mix,
                data,
                promptBlocks,
                blockBytes,
                blocks,
                concurrency,
                rates.equals(List.of("none"))
                        ? List.of()
                        : rates.stream().map(OpenLoopRate::parse).toList(),
                processes,
                connections,
                Duration.ofSeconds(seconds),
                LEAD,
                Duration.ofSeconds(warmUp),
                rounds,
                mostWritten * MEGABYTE,
                target == null ? null : Demand.parse(target));
        return quick ? all.quick() : all;
    }
}
