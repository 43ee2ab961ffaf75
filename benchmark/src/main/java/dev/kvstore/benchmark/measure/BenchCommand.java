package dev.kvstore.benchmark.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.stack.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that measures: its flags are checked before anything is started, progress goes to standard error, the report
 * to standard output and into the file of {@code --json}. Exit code 1 if the report does not hold.
 */
public abstract class BenchCommand implements Callable<Integer> {
    @Option(
            names = "--json",
            order = Integer.MAX_VALUE,
            paramLabel = "FILE",
            description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public final Integer call() throws Exception {
        check();
        ReportFile file = ReportFile.of(json);
        return StopSignal.guard(spec.commandLine().getErr(), () -> report(file));
    }

    /**
     * Nothing has been started yet.
     *
     * @throws IllegalArgumentException for a flag that cannot be, which it names
     */
    protected abstract void check();

    /**
     * Measures. A thread that is interrupted has been asked to stop: it reports what it has, or throws.
     *
     * @param progress is told what goes on
     */
    protected abstract BenchReport measure(Progress progress) throws IOException, InterruptedException;

    /** @throws IllegalArgumentException if the number is not in the range */
    protected static void require(String flag, long number, long least, long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(flag + ": must be " + least + " to " + most + ", not " + number);
        }
    }

    /** Whether the caller named this flag, rather than leaving its default. */
    protected final boolean named(String flag) {
        return spec.commandLine().getParseResult().hasMatchedOption(flag);
    }

    private int report(ReportFile file) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter out = spec.commandLine().getOut();
        BenchReport report = measure(new Progress(
                line -> {
                    err.println("bench: " + line);
                    err.flush();
                },
                Clock.systemUTC()));
        out.print(report.text());
        out.flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return report.holds() ? 0 : 1;
    }
}
