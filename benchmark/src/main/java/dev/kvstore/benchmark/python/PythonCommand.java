package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench python}: the Python client beside other ways to bring blocks into a Python process. */
@Command(
        name = "python",
        header = "The Python client beside raw TCP, grpcio, Redis, Mooncake Store and LMCache.",
        description =
                "Reads and writes blocks of 1.2 MB from Python, a process for each client, which take turns: the Python"
                        + " client with and without its checksums, and through its agent, raw TCP, grpcio with generated"
                        + " classes, and what is there of Redis (redis-py with hiredis), Mooncake Store and LMCache's remote"
                        + " connectors; each alone, and beside a thread that wants the GIL all the time. Throughput, and the client's processor time"
                        + " for a GB. Needs Python 3.10 or newer with venv, and a package index the first time. What is"
                        + " missing is named with the way to have it. Takes nine minutes; --quick one or two. Exit code 1"
                        + " if a block was missing or wrong.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class PythonCommand extends BenchCommand {
    private static final int MOST_ROUNDS = 100;
    private static final int MOST_SECONDS = 600;

    @Option(
            names = "--only",
            paramLabel = "CLIENT",
            split = ",",
            description = "One or several of tcp, kvstore, unverified (KV Store without"
                    + " checksums), agent (KV Store, with another process that reads), ahead (the same, with the next"
                    + " batch asked for before), grpcio, redis, mooncake, lmcache (LMCache, with its own server),"
                    + " resp (LMCache, with Redis). Default: all.")
    private @Nullable List<PythonPeer> only;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Measurements of each, 1 to " + MOST_ROUNDS + ". Default: 9; with --quick 1.")
    private @Nullable Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each measurement, 1 to " + MOST_SECONDS + ". Default: 1.")
    private @Nullable Integer seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "Seconds of reading before anything is measured, 1 to " + MOST_SECONDS
                    + ". Default: 8; with --quick 1.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--quick",
            description = "Shows that it works, and a first impression: other defaults for the flags above.")
    private boolean quick;

    @Override
    protected void check() {
        PythonOptions options = options();
        require("--rounds", options.rounds(), 1, MOST_ROUNDS);
        require("--seconds", options.time().toSeconds(), 1, MOST_SECONDS);
        require("--warmup", options.warmUp().toSeconds(), 1, MOST_SECONDS);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new PythonRun(Home.current(), options(), progress).run();
    }

    private PythonOptions options() {
        List<PythonPeer> peers = only != null ? only : List.of(PythonPeer.values());
        return new PythonOptions(
                peers.stream().distinct().toList(),
                chosen(rounds, 9, 1),
                Duration.ofSeconds(seconds == null ? 1 : seconds),
                Duration.ofSeconds(chosen(warmUp, 8, 1)));
    }

    private int chosen(@Nullable Integer named, int usual, int quickly) {
        return named != null ? named : quick ? quickly : usual;
    }
}
