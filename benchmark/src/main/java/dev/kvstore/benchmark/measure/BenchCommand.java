package dev.kvstore.benchmark.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.report.Observation;
import dev.kvstore.benchmark.report.ReportFolder;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.RunEnvironment;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.UserEnvironment;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that measures: its flags are checked before anything is started, progress goes to standard error, the
 * report to standard output, into the file of {@code --json} and into the folder of {@code --report}. Exit code 1 if
 * the report does not hold.
 */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class, sortOptions = false)
public abstract class BenchCommand implements Callable<Integer> {
    @Option(
            names = "--json",
            order = Integer.MAX_VALUE,
            paramLabel = "FILE",
            description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Option(
            names = "--report",
            order = Integer.MAX_VALUE,
            paramLabel = "FOLDER",
            description =
                    "Write report.html, a page with charts, report.md and report.json to this folder too, over those of an"
                            + " earlier run.")
    private @Nullable Path report;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public final Integer call() throws Exception {
        check();
        UserEnvironment.warn(this::say);
        ReportFile file = ReportFile.of(json);
        ReportFolder folder = report == null ? null : ReportFolder.of(report);
        return StopSignal.guard(spec.commandLine().getErr(), () -> run(file, folder));
    }

    /**
     * Nothing has been started yet.
     *
     * @throws IllegalArgumentException for a flag that cannot be, which it names
     */
    protected abstract void check();

    /**
     * Measures. A thread that is interrupted has been asked to stop: it reports its figures so far and stays
     * interrupted, or it throws, and nothing is reported.
     *
     * @param progress is told what goes on
     */
    protected abstract BenchReport measure(BenchProgress progress) throws IOException, InterruptedException;

    /** @throws IllegalArgumentException if the number is not in the range */
    public static void require(String flag, long number, long least, long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(flag + ": must be " + least + " to " + most + ", not " + number);
        }
    }

    /** This command, parsed. */
    protected final CommandSpec spec() {
        return spec;
    }

    /** Whether the caller named this flag, rather than leaving its default. */
    protected final boolean named(String flag) {
        return spec.commandLine().getParseResult().hasMatchedOption(flag);
    }

    private int run(ReportFile file, @Nullable ReportFolder folder) throws IOException, InterruptedException {
        CommandLine program = spec.root().commandLine();
        Observation observation = Observation.begin(
                spec.root().qualifiedName(),
                program.getParseResult().originalArgs(),
                Home.current().path(),
                Clock.systemUTC());
        BenchReport found = measure(new BenchProgress(this::say, Clock.systemUTC()));
        // The run has stopped as asked; the figures so far are written all the same.
        boolean stopped = Thread.interrupted();
        try {
            write(found, observation.end(), file, folder);
        } finally {
            if (stopped) {
                Thread.currentThread().interrupt();
            }
        }
        return found.holds() ? 0 : 1;
    }

    private void write(BenchReport found, RunEnvironment environment, ReportFile file, @Nullable ReportFolder folder)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(found.text());
        out.flush();
        try {
            file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(found));
        } finally {
            if (folder != null) {
                ReportPage page = found.page(spec.qualifiedName()).withFailures(found.failures());
                folder.write(page, found.holds(), found, environment);
                say("the report is in " + report);
            }
        }
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(spec.root().name().replaceFirst("^kv ", "") + ": " + line);
        err.flush();
    }
}
