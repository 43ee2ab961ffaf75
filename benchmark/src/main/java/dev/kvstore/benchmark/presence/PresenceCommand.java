package dev.kvstore.benchmark.presence;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench presence}. */
@Command(
        name = "presence",
        header = "How a data plane learns of many blocks, and how fast its filter answers.",
        description = "Stores many blocks of 512 bytes through one data plane of its own, starts another, and measures"
                + " how it learns of them: time, memory, storage calls, wrong answers of the filter, lookups. Each block"
                + " is synced to disk, which is most of the time; in target/ it takes 8 KB, and is deleted again. Exit"
                + " code 1 if a lookup was answered wrongly.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class PresenceCommand extends BenchCommand {
    private static final int LEAST = 1_000;
    private static final int MOST = 10_000_000;
    private static final long LEAST_FILTER = 1_000_000;
    private static final long MOST_FILTER = 1_000_000_000;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Blocks, " + LEAST + " to " + MOST + ", rounded down to whole thousands. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int blocks;

    @Option(
            names = "--filter",
            paramLabel = "N",
            description =
                    "Measure the filter alone, in this process: that of a partition of N random blocks, 1000000 to"
                            + " 1000000000, made, merged into, read from files and asked. Of 100 million: 150 MB in target/, which"
                            + " are deleted again, and some minutes.")
    private @Nullable Long filter;

    @Override
    protected void check() {
        require("--blocks", blocks, LEAST, MOST);
        if (filter != null) {
            require("--filter", filter, LEAST_FILTER, MOST_FILTER);
            if (named("--blocks")) {
                throw new IllegalArgumentException(
                        "--blocks: no block is stored with --filter; leave one of the two out");
            }
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        if (filter != null) {
            return new FilterRun(Home.current(), filter, progress).run();
        }
        return new PresenceRun(Home.current(), blocks / ManyBlocks.CHAIN, progress).run();
    }
}
