package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.RoundsCommand;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.Home;
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
                        + " own. What is missing is named with the Debian package that brings it. 3 rounds of 3 s after 8 s of"
                        + " warm-up take about an hour; --quick, 2 rounds of 1 s after 1 s, a minute or two. Exit code 1 if a"
                        + " block was missing or wrong.")
public final class PeersCommand extends RoundsCommand {
    private static final int MOST_CLIENTS = 20;
    private static final int MOST_NUMBERS = 100;
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

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    @Option(
            names = "--damage",
            paramLabel = "HOW",
            hidden = true,
            defaultValue = "none",
            description = "To see that it is noticed: one block is lost or corrupted before it is stored.")
    private Damage damage = Damage.NONE;

    public PeersCommand() {
        super(RoundPlan.ofSeconds(3, 3, 8), RoundPlan.ofSeconds(2, 1, 1));
    }

    @Override
    protected void check() {
        PeersRun.PeersOptions options = options();
        require("--sizes: how many", options.sizes().size(), 1, MOST_NUMBERS);
        options.sizes()
                .forEach(size -> require("--sizes", size, WorkingSet.MIN_BLOCK_BYTES, WorkingSet.MAX_BLOCK_BYTES));
        require("--clients: how many numbers", options.clients().size(), 1, MOST_NUMBERS);
        options.clients().forEach(count -> require("--clients", count, 1, MOST_CLIENTS));
        super.check();
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        return new PeersRun(Home.current(), options(), Programs.ofThisMachine(), progress).run();
    }

    private PeersRun.PeersOptions options() {
        return new PeersRun.PeersOptions(
                distinct(only, ComparedSystem.USUAL, ComparedSystem.USUAL),
                distinct(sizes, List.of(512, Ratio.BLOCK_BYTES, 16 << 20), List.of(Ratio.BLOCK_BYTES)),
                distinct(clients, List.of(1, 4, 8, 20), List.of(4)),
                plan(),
                chosen(null, LEAD, QUICK_LEAD),
                slowServer.time(),
                damage);
    }

    private <T> List<T> distinct(@Nullable List<T> named, List<T> usually, List<T> ifQuick) {
        return chosen(named, usually, ifQuick).stream().distinct().toList();
    }
}
