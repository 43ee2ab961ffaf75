package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench peers}: KV Store beside others on this machine. */
@Command(
        name = "peers",
        header = "Reads and writes beside raw TCP, stock gRPC, Redis and nginx.",
        description =
                "StreamingRead, Read and Write through the Java SDK, from and to DRAM, beside raw TCP, a stock gRPC"
                        + " server, and what is there of Redis (by redis-benchmark and by Lettuce) and nginx (by wrk): throughput and"
                        + " processor time, client and server, with the same bytes over the same loopback, each in processes of its"
                        + " own. What is missing is named with the Debian package that brings it. All of it takes about an hour;"
                        + " --quick a minute or two. Exit code 1 if a block was missing or wrong.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class PeersCommand extends BenchCommand {
    private static final int MOST_CLIENTS = 20;
    private static final int MOST_SECONDS = 3_600;
    private static final int MOST_ROUNDS = 100;
    private static final Duration LEAD = Duration.ofMillis(500);
    private static final Duration QUICK_LEAD = Duration.ofMillis(200);

    @Option(
            names = "--only",
            paramLabel = "PEER",
            split = ",",
            description = "One or several of kvstore, tls (KV Store over TLS), tcp, grpc, redis, lettuce, nginx; and"
                    + " kvstore-grpc-java, tls-grpc-java (the SDK on grpc-java in place of its own HTTP/2)."
                    + " Default: all but these two.")
    private @Nullable List<ComparedSystem> only;

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            description = "Bytes per block, " + WorkingSet.MIN_BLOCK_BYTES + " to " + WorkingSet.MAX_BLOCK_BYTES
                    + ". The ratios are those of 1200000. Default: 512,1200000,16777216; with --quick 1200000.")
    private @Nullable List<Integer> sizes;

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            description = "Clients at a time, 1 to " + MOST_CLIENTS
                    + ", one number or several. Default: 1,4,8,20; with --quick 4.")
    private @Nullable List<Integer> clients;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "Measurements of each, 1 to " + MOST_ROUNDS + ", all peers in turn. Default: 3; with --quick 2.")
    private @Nullable Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each measurement, 1 to " + MOST_SECONDS + ". Default: 3; with --quick 1.")
    private @Nullable Integer seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description =
                    "Seconds of each before it is measured, 1 to " + MOST_SECONDS + ". Default: 8; with --quick 1.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--quick",
            description = "Shows that it works, and a first impression: other defaults for the flags above.")
    private boolean quick;

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    @Option(
            names = "--damage",
            paramLabel = "HOW",
            hidden = true,
            defaultValue = "none",
            description = "To see that it is noticed: one block is lost or corrupted before it is stored.")
    private Damage damage = Damage.NONE;

    @Override
    protected void check() {
        PeersOptions options = options();
        require("--sizes: how many", options.sizes().size(), 1, MOST_ROUNDS);
        options.sizes()
                .forEach(size -> require("--sizes", size, WorkingSet.MIN_BLOCK_BYTES, WorkingSet.MAX_BLOCK_BYTES));
        require("--clients: how many numbers", options.clients().size(), 1, MOST_ROUNDS);
        options.clients().forEach(count -> require("--clients", count, 1, MOST_CLIENTS));
        require("--rounds", options.rounds(), 1, MOST_ROUNDS);
        require("--seconds", options.time().toSeconds(), 1, MOST_SECONDS);
        require("--warmup", options.warmUp().toSeconds(), 1, MOST_SECONDS);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new PeersRun(Home.current(), options(), Programs.ofThisMachine(), progress).run();
    }

    private PeersOptions options() {
        return new PeersOptions(
                chosen(only, ComparedSystem.USUAL, ComparedSystem.USUAL).stream()
                        .distinct()
                        .toList(),
                chosen(sizes, List.of(512, Ratio.BLOCK_BYTES, 16 << 20), List.of(Ratio.BLOCK_BYTES)).stream()
                        .distinct()
                        .toList(),
                chosen(clients, List.of(1, 4, 8, 20), List.of(4)).stream()
                        .distinct()
                        .toList(),
                Duration.ofSeconds(chosen(warmUp, 8, 1)),
                quick ? QUICK_LEAD : LEAD,
                Duration.ofSeconds(chosen(seconds, 3, 1)),
                chosen(rounds, 3, 2),
                slowServer.time(),
                damage);
    }

    private <T> T chosen(@Nullable T named, T usual, T quickly) {
        return named != null ? named : quick ? quickly : usual;
    }
}
