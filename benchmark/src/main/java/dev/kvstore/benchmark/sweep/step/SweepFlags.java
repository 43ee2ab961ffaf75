package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.StoredPrompts;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a sweep: what to measure, and for how long. */
public final class SweepFlags {
    private static final long MEGABYTE = 1_000_000;
    private static final double LEAST_GBIT = 0.1;
    private static final double MOST_GBIT = 10_000;

    @Option(
            names = "--load",
            paramLabel = "KIND",
            description =
                    "An iteration of a client: ${COMPLETION-CANDIDATES}. Mixed is 7 Lookups, 6 Reads and 3 Writes, each"
                            + " other one a single call. Default: ${DEFAULT-VALUE}.")
    public Mix mix = Mix.MIXED;

    @Option(
            names = "--prompt-blocks",
            paramLabel = "N",
            description = "Blocks of a prompt that is read, looked up, or written as one stream, 1 to 1000. Default:"
                    + " ${DEFAULT-VALUE}.")
    public int promptBlocks = 16;

    @Option(
            names = "--data",
            paramLabel = "WHERE",
            description =
                    "Place of the blocks that are read: hot (in memory), disk (on a local disk) or cold (in storage"
                            + " alone). Default: ${DEFAULT-VALUE}.")
    public Data data = Data.HOT;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            description = "Bytes per block of 128 tokens, 512 to 16777216. Default: ${DEFAULT-VALUE}.")
    public int blockBytes = 1_200_000;

    @Option(
            names = "--stock-blocks",
            paramLabel = "N",
            description =
                    "Blocks that are read, 16 to 200000, rounded up to whole prompts. Default: as many as the data"
                            + " planes' memory holds, or far more than it does.")
    @Nullable
    public Integer stockBlocks;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,5,10,20,50,100,200",
            description = "Clients of the closed loop, 1 to 2000, a step each. Default: ${DEFAULT-VALUE}.")
    public List<Integer> concurrency = List.of();

    @Option(
            names = "--rate",
            paramLabel = "R",
            split = ",",
            defaultValue = "50%,70%,90%",
            description =
                    "Steps of the open loop: iterations a second, as in 200, or shares of the closed loop's peak, as in"
                            + " 80%%; none for no open loop. Default: ${DEFAULT-VALUE}.")
    public List<String> rates = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each step, 1 to 3600. Default: ${DEFAULT-VALUE}.")
    public int seconds = 10;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "Seconds of load on one data plane and on both before the first step, 1 to 3600. Default:"
                    + " ${DEFAULT-VALUE}.")
    public int warmUp = 8;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Measurements of each step, 1 to 100, all steps in turn. Default: ${DEFAULT-VALUE}.")
    public int rounds = 3;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Client processes, 1 to 16, each with a JVM of its own. Default: ${DEFAULT-VALUE}.")
    public int processes = 1;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections of each client process to each data plane, 1 to 64; its clients share them."
                    + " Default: ${DEFAULT-VALUE}.")
    public int connections = 2;

    @Option(
            names = "--most-written",
            paramLabel = "MB",
            description = "A step ends early when so much was written, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
    int mostWritten = 2_000;

    @Option(
            names = "--target",
            paramLabel = "T",
            description = "Say how many servers like this one it takes for so much: iterations a second, as in 2000,"
                    + " bytes both ways, as in 10GB/s, or tokens read and written, as in 500ktok/s or 10Mtok/s.")
    @Nullable
    public String target;

    @Option(
            names = "--nic-gbit",
            paramLabel = "N",
            description =
                    "Gbit/s that the server's network cards carry together in each direction, 0.1 to 10000: say what share"
                            + " of it each step takes, and how much it would allow. Default: none.")
    @Nullable
    public Double nicGbit;

    @Option(
            names = "--quick",
            description =
                    "Shows that it works, and roughly how fast: 1, 5 and 20 clients and 70%% of the peak, 2 s each, one"
                            + " round. Not together with --concurrency, --rate, --seconds, --warmup or --rounds.")
    public boolean quick;

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    public void check() {
        if (quick) {
            concurrency = List.of(1, 5, 20);
            rates = List.of("70%");
            seconds = 2;
            warmUp = 3;
            rounds = 1;
        }
        BenchCommand.require("--block-bytes", blockBytes, 512, 16 << 20);
        BenchCommand.require("--prompt-blocks", promptBlocks, 1, 1_000);
        BenchCommand.require("--stock-blocks", blocks(), 16, 200_000);
        BenchCommand.require("--concurrency: how many numbers", concurrency.size(), 1, 100);
        concurrency.forEach(clients -> BenchCommand.require("--concurrency", clients, 1, 2_000));
        BenchCommand.require("--seconds", seconds, 1, 3_600);
        BenchCommand.require("--warmup", warmUp, 1, 3_600);
        BenchCommand.require("--rounds", rounds, 1, 100);
        BenchCommand.require("--processes", processes, 1, 16);
        BenchCommand.require("--connections", connections, 1, 64);
        BenchCommand.require("--most-written", mostWritten, 1, 1_000_000);
        if (nicGbit != null && !(nicGbit >= LEAST_GBIT && nicGbit <= MOST_GBIT)) {
            throw new IllegalArgumentException("--nic-gbit: must be 0.1 to 10000, not " + nicGbit);
        }
        var _ = openLoop();
        var _ = demand();
    }

    /** The most clients that call at a time. */
    public int mostClients() {
        int closed = Collections.max(concurrency);
        return openLoop().isEmpty() ? closed : Math.max(closed, PlannedStep.MOST_UNDER_WAY);
    }

    public List<LoadRate> openLoop() {
        return rates.equals(List.of("none"))
                ? List.of()
                : rates.stream().map(LoadRate::openLoop).toList();
    }

    /** Load before the time of each step begins. */
    public Duration lead() {
        return Duration.ofMillis(quick ? 500 : 1_000);
    }

    public long mostBytesWritten() {
        return mostWritten * MEGABYTE;
    }

    /** The work that servers are counted for; null if nobody asked. */
    @Nullable
    public LoadRate demand() {
        return target == null ? null : LoadRate.target(target);
    }

    /** Latencies of Lookups, Reads and Writes that an iteration has. */
    public int results() {
        return mix.results(promptBlocks);
    }

    private int blocks() {
        return stockBlocks == null ? data.blocks(blockBytes) : stockBlocks;
    }

    public StoredPrompts stock(String partition) {
        return new StoredPrompts(partition, Math.ceilDiv(blocks(), promptBlocks), promptBlocks, blockBytes);
    }
}
