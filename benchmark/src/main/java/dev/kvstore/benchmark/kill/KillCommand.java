package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench kill}. */
@Command(
        name = "kill",
        header = "Kills a data plane during writes: no acknowledged block may be lost.",
        description =
                "Kills a data plane of its own (SIGKILL) at random moments while the Java SDK writes to it, starts"
                        + " it again, and checks that every acknowledged block is readable with the right bytes and counted by"
                        + " Lookup. Takes some 5 s and 20 MB in target/ a kill, which it deletes. Exit code 1 if a block was"
                        + " lost, or if nothing was proved.")
public final class KillCommand extends BenchCommand {
    static final int MAX_COUNT = 10_000;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "200",
            description = "Kills, 1 to " + MAX_COUNT + ". Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Decides when to kill; what is under way then depends on the machine. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Override
    protected void check() {
        require("--count", count, 1, MAX_COUNT);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new KillRun(count, seed, progress).run();
    }
}
