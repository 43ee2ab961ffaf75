package dev.kvstore.benchmark.memory;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv bench memory}. */
@Command(
        name = "memory",
        description =
                "What tenants and blocks take of a data plane's memory: starts two of its own, one after the"
                        + " other, over folders in target/ that it deletes again. Takes some minutes; blocks are synced to disk.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class MemoryCommand implements Callable<Integer> {
    private static final int MOST_TENANTS = 100_000;
    private static final int MOST_BLOCKS = 200_000;

    @Option(
            names = "--tenants",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many, 2 to " + MOST_TENANTS + ". Default: ${DEFAULT-VALUE}.")
    private int tenants;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "50000",
            description = "Of 512 bytes, " + MemoryRun.CHAIN + " to " + MOST_BLOCKS
                    + ", rounded down to whole thousands. Default: ${DEFAULT-VALUE}.")
    private int blocks;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to this file too.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        require("--tenants", tenants, 2, MOST_TENANTS);
        require("--blocks", blocks, MemoryRun.CHAIN, MOST_BLOCKS);
        ReportFile file = ReportFile.of(json);
        return StopSignal.guard(spec.commandLine().getErr(), () -> measure(file));
    }

    private static void require(String flag, int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(flag + ": must be " + least + " to " + most + ", not " + number);
        }
    }

    private int measure(ReportFile file) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        MemoryReport report = new MemoryRun(
                        Home.current(), tenants, blocks / MemoryRun.CHAIN, new SecureRandom(), line -> {
                            err.println("bench: " + line);
                            err.flush();
                        })
                .run();
        spec.commandLine().getOut().print(report.text());
        spec.commandLine().getOut().flush();
        file.write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        return 0;
    }
}
