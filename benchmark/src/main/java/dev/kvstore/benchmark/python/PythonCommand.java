package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.RoundsCommand;
import dev.kvstore.launcher.Home;
import java.io.IOException;
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
                        + " missing is named with the way to have it. 9 rounds of 1 s after 8 s of reading take nine"
                        + " minutes; --quick, 1 round of 1 s after 1 s, one or two. Exit code 1 if a block was missing or"
                        + " wrong.")
public final class PythonCommand extends RoundsCommand {
    @Option(
            names = "--only",
            paramLabel = "CLIENT",
            split = ",",
            description = "One or several of tcp, kvstore, unverified (KV Store without"
                    + " checksums), agent (KV Store, with another process that reads), ahead (the same, with the next"
                    + " batch asked for before), grpcio, redis, mooncake, lmcache (LMCache, with its own server),"
                    + " resp (LMCache, with Redis). Default: all.")
    private @Nullable List<PythonPeer> only;

    public PythonCommand() {
        super(RoundPlan.ofSeconds(9, 1, 8), RoundPlan.ofSeconds(1, 1, 1));
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        List<PythonPeer> all = List.of(PythonPeer.values());
        return new PythonRun(
                        Home.current(),
                        chosen(only, all, all).stream().distinct().toList(),
                        plan(),
                        progress)
                .run();
    }
}
