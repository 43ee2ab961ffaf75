package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench soak}. */
@Command(
        name = "soak",
        header = "An hour of clients that pause, leave and cancel: nothing may be denied or left behind.",
        description =
                "Lets clients write, read, look up, pause, leave early, cancel and hurry for an hour, with a control plane"
                        + " and two data planes of its own that have little memory. All clients leave every 5 minutes, and then"
                        + " nothing may be held any more. Takes up to 10 GB an hour in target/, which it deletes. Exit code 1 if"
                        + " an acknowledged block was denied, if a call failed or hung, if memory was not given back, or if a"
                        + " client left alone a process that answered.")
public final class SoakCommand extends BenchCommand {
    static final int MAX_MINUTES = 7 * 24 * 60;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "60",
            description = "Minutes, 1 to " + MAX_MINUTES + ". Default: ${DEFAULT-VALUE}.")
    private int minutes;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Decides what clients do, in which order. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Override
    protected void check() {
        require("--minutes", minutes, 1, MAX_MINUTES);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new SoakRun(minutes, seed, progress).run();
    }
}
