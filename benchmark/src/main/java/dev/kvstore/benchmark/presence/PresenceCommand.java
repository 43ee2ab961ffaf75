package dev.kvstore.benchmark.presence;

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

/** {@code kv bench presence}. */
@Command(
        name = "presence",
        description = "Stores many blocks of 512 bytes through one data plane of its own, starts another, and measures"
                + " how it learns of them: time, memory, storage calls, wrong answers of the filter, lookups. Each block"
                + " is synced to disk, which is most of the time; in target/ it takes 8 KB, and is deleted again. Exit"
                + " code 1 if a lookup was answered wrongly.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class PresenceCommand implements Callable<Integer> {
    private static final int LEAST = 1_000;
    private static final int MOST = 10_000_000;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "200000",
            description = "How many, " + LEAST + " to " + MOST + ", rounded down to whole thousands. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int blocks;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (blocks < LEAST || blocks > MOST) {
            throw new IllegalArgumentException("--blocks: must be " + LEAST + " to " + MOST + ", not " + blocks);
        }
        ReportFile file = ReportFile.of(json);
        return StopSignal.guard(spec.commandLine().getErr(), () -> measure(file));
    }

    private int measure(ReportFile file) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        PresenceReport report = new PresenceRun(Home.current(), blocks / ManyBlocks.CHAIN, line -> {
                    err.println("bench: " + line);
                    err.flush();
                })
                .run();
        spec.commandLine().getOut().print(report.text());
        spec.commandLine().getOut().flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return report.wrongLookups() == 0 ? 0 : 1;
    }
}
