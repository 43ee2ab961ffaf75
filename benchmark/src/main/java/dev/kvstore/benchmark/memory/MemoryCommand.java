package dev.kvstore.benchmark.memory;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.security.SecureRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench memory}. */
@Command(
        name = "memory",
        header = "What tenants and blocks take of a data plane's memory.",
        description =
                "What tenants and blocks take of a data plane's memory: starts two of its own, one after the"
                        + " other, over folders in target/ that it deletes again. Takes some minutes; blocks are synced to disk.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class MemoryCommand extends BenchCommand {
    private static final int MOST_TENANTS = 100_000;
    private static final int MOST_BLOCKS = 200_000;

    @Option(
            names = "--tenants",
            paramLabel = "N",
            defaultValue = "500",
            description = "Tenants, 2 to " + MOST_TENANTS + ". Default: ${DEFAULT-VALUE}.")
    private int tenants;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "50000",
            description = "Blocks of 512 bytes, " + MemoryRun.CHAIN + " to " + MOST_BLOCKS
                    + ", rounded down to whole thousands. Default: ${DEFAULT-VALUE}.")
    private int blocks;

    @Override
    protected void check() {
        require("--tenants", tenants, 2, MOST_TENANTS);
        require("--blocks", blocks, MemoryRun.CHAIN, MOST_BLOCKS);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new MemoryRun(Home.current(), tenants, blocks / MemoryRun.CHAIN, new SecureRandom(), progress).run();
    }
}
