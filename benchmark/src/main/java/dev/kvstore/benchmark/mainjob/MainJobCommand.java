package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench main-job}: lookups, reads and writes over a stack of its own. */
@Command(
        name = "main-job",
        header = "Lookups, reads and writes: rates, latencies, storage calls and processor time.",
        description =
                "Lookups, reads and writes through the Java SDK over a data plane of its own on free ports: rates,"
                        + " latencies, storage calls and processor time of each, at several numbers of concurrent clients."
                        + " Clients and data plane share this machine. Takes some 10 minutes and up to 7 GB in target/, which"
                        + " it deletes.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class MainJobCommand extends BenchCommand {
    /** The values of --storage. */
    public enum StorageChoice {
        FILESYSTEM,
        AZURITE,
        BOTH;

        List<StorageKind> kinds() {
            return switch (this) {
                case FILESYSTEM -> List.of(StorageKind.FILESYSTEM);
                case AZURITE -> List.of(StorageKind.AZURITE);
                case BOTH -> List.of(StorageKind.FILESYSTEM, StorageKind.AZURITE);
            };
        }
    }

    @Option(
            names = "--storage",
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "Storage of the blocks: filesystem, azurite or both; of both, Azurite is measured only where"
                    + " storage is reached. Default: ${DEFAULT-VALUE}.")
    private StorageChoice storage = StorageChoice.FILESYSTEM;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "1200000",
            description = "Bytes per block of 128 tokens, 65536 to 2097152. Default: ${DEFAULT-VALUE}.")
    private int blockBytes;

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,4,8",
            description = "Clients at a time, 1 to " + MainJobOptions.MAX_CLIENTS
                    + ", one number or several. Default: ${DEFAULT-VALUE}.")
    private List<Integer> clients = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description =
                    "Length of each measurement, 1 to " + MainJobOptions.MAX_SECONDS + ". Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            defaultValue = "8",
            description = "Seconds of each operation before any is measured, 1 to " + MainJobOptions.MAX_SECONDS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Measurements of each, 1 to " + MainJobOptions.MAX_ROUNDS
                    + ", all operations in turn. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Only operations whose name contains this, as in --only \"streaming read\".")
    private String only = "";

    @Option(
            names = "--quick",
            description =
                    "Shows that it works, not how fast: 2 clients, one round, 1 s each, no cold reads. Not together"
                            + " with --clients, --seconds, --warmup or --rounds.")
    private boolean quick;

    @Override
    protected void check() {
        refuseWhatQuickDecides();
        options();
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        return new MainJobRun(Home.current(), options(), progress).run();
    }

    private MainJobOptions options() {
        MainJobOptions all = new MainJobOptions(
                storage.kinds(),
                only,
                blockBytes,
                clients,
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(warmUp),
                rounds,
                true);
        return quick ? all.quick() : all;
    }

    private void refuseWhatQuickDecides() {
        for (String flag : List.of("--clients", "--seconds", "--warmup", "--rounds")) {
            if (quick && named(flag)) {
                throw new IllegalArgumentException("--quick: has its own " + flag + "; leave one of the two out");
            }
        }
    }
}
