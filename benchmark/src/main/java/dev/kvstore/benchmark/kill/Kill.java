package dev.kvstore.benchmark.kill;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv bench kill}. */
@Command(
        name = "kill",
        description =
                "Kills a data plane of its own (SIGKILL) at random moments while the Java SDK writes to it, starts"
                        + " it again, and checks that every acknowledged block is readable with the right bytes and counted by"
                        + " Lookup. Takes some 5 s and 20 MB in target/ a kill, which it deletes. Exit code 1 if a block was"
                        + " lost, or if nothing was proved.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class Kill implements Callable<Integer> {
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

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("--count: must be 1 to " + MAX_COUNT + ", not " + count);
        }
        ReportFile file = ReportFile.of(json);
        return StopSignal.guard(spec.commandLine().getErr(), () -> kill(file));
    }

    private int kill(ReportFile file) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        KillReport report = new KillRun(Home.current(), count, seed, line -> {
                    err.println("bench: " + line);
                    err.flush();
                })
                .run();
        spec.commandLine().getOut().print(report.text());
        spec.commandLine().getOut().flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return report.holds() ? 0 : 1;
    }
}
