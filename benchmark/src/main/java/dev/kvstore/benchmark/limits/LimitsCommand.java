package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.WritablePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench limits}. */
@Command(
        name = "limits",
        header = "How near the data path is to what the machine gives, each figure beside its goal.",
        description =
                "How near the data path is to what the machine gives, each figure beside its goal and by how much it misses"
                        + " it: Writes against synced files (write), the disk tier against fio (disk), blocks of 512 bytes (small),"
                        + " Lookups of 1,000 blocks (lookup), a cold stream against one cold Read (cold), Reads with storage far"
                        + " away (far), start and memory (start). Everything runs on data planes of its own on free ports, 10"
                        + " minutes and up to 5 GB in --folder, which it deletes. Exit code 1 if something could not be measured"
                        + " or a block was wrong; goals that are missed alone make it 1 with --strict.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class LimitsCommand extends BenchCommand {
    private static final String FOLDER = "--folder";
    private static final int MOST_SECONDS = 3_600;
    private static final int MOST_ROUNDS = 100;
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

    @Option(
            names = "--only",
            paramLabel = "NAMES",
            split = ",",
            description = "One or several of write, disk, small, lookup, cold, far, start. Default: all.")
    private @Nullable List<Limit> only;

    @Option(
            names = FOLDER,
            paramLabel = "FOLDER",
            description = "On the disk that writes and the disk tier are measured on; what is put there is deleted."
                    + " Default: target/ of this checkout.")
    private @Nullable Path folder;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Measurements of each, 1 to " + MOST_ROUNDS + ", in turn. Default: 3; with --quick 1.")
    private @Nullable Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each measurement, 1 to " + MOST_SECONDS + ". Default: 3; with --quick 1.")
    private @Nullable Integer seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description =
                    "Seconds of each before it is measured, 1 to " + MOST_SECONDS + ". Default: 8; with --quick 1.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--quick",
            description =
                    "Shows that it works, and a first impression: other defaults for the flags above, 4 clients, 1 start.")
    private boolean quick;

    @Option(names = "--strict", description = "Exit code 1 if a goal is missed, too.")
    private boolean strict;

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    @Override
    protected void check() {
        LimitsOptions options = options(folder == null ? Path.of("") : folder);
        require("--rounds", options.rounds(), 1, MOST_ROUNDS);
        require("--seconds", options.time().toSeconds(), 1, MOST_SECONDS);
        require("--warmup", options.warmUp().toSeconds(), 1, MOST_SECONDS);
        requireDisk(folder());
    }

    /** Refuses a folder in memory: bytes there are durable at once, and no disk is measured. */
    private static void requireDisk(Path folder) {
        WritablePath.requireFolder(FOLDER, folder);
        Path existing = folder;
        while (!Files.exists(existing)) {
            existing = existing.resolveSibling(".").normalize();
        }
        String type = fileSystem(existing);
        if (IN_MEMORY.contains(type)) {
            throw new IllegalArgumentException(
                    FOLDER + ": " + folder + " is in memory (" + type + "); name a folder on a disk");
        }
    }

    private static String fileSystem(Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException e) {
            throw new IllegalArgumentException(FOLDER + ": " + folder + " does not say what disk it is on", e);
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        return new LimitsRun(Home.current(), options(folder()), Programs.ofThisMachine(), progress).run();
    }

    private Path folder() {
        Path named = folder == null ? Home.current().target() : folder;
        return named.toAbsolutePath().normalize();
    }

    private LimitsOptions options(Path place) {
        return new LimitsOptions(
                only == null
                        ? List.of(Limit.values())
                        : only.stream().distinct().toList(),
                place,
                quick ? List.of(4) : List.of(1, 4, 8),
                Duration.ofSeconds(chosen(warmUp, 8, 1)),
                Duration.ofSeconds(chosen(seconds, 3, 1)),
                chosen(rounds, 3, 1),
                quick ? 1 : 7,
                quick ? 1_000 : 10_000,
                slowServer.time(),
                strict);
    }

    private int chosen(@Nullable Integer named, int usual, int quickly) {
        return named != null ? named : quick ? quickly : usual;
    }
}
