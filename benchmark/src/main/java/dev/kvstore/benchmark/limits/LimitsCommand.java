package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.RoundsCommand;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
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
                        + " away (far), start and memory (start). Everything runs on data planes of its own on free ports, with"
                        + " up to 5 GB in --folder, which it deletes. 3 rounds of 3 s after 8 s of warm-up take 10 minutes;"
                        + " --quick has 1 round of 1 s after 1 s, 4 clients and 1 start. Exit code 1 if something could not be measured"
                        + " or a block was wrong; goals that are missed alone make it 1 with --strict.")
public final class LimitsCommand extends RoundsCommand {
    private static final String FOLDER = "--folder";
    private static final List<Limit> ALL = List.of(Limit.values());
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

    @Option(names = "--strict", description = "Exit code 1 if a goal is missed, too.")
    private boolean strict;

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    public LimitsCommand() {
        super(RoundPlan.ofSeconds(3, 3, 8), RoundPlan.ofSeconds(1, 1, 1));
    }

    @Override
    protected void check() {
        super.check();
        Duration _ = slowServer.time();
        requireDisk(folder());
    }

    /** Refuses a folder in memory: bytes there are durable at once, and no disk is measured. */
    private static void requireDisk(Path folder) {
        WritablePath.requireFolder(FOLDER, folder);
        Path existing = folder;
        while (!Files.exists(existing)) {
            existing = existing.resolveSibling(".").normalize();
        }
        try {
            String type = Files.getFileStore(existing).type();
            if (IN_MEMORY.contains(type)) {
                throw new IllegalArgumentException(
                        FOLDER + ": " + folder + " is in memory (" + type + "); name a folder on a disk");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(FOLDER + ": " + folder + " does not say what disk it is on", e);
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        LimitScene.LimitsOptions options = new LimitScene.LimitsOptions(
                chosen(only, ALL, ALL).stream().distinct().toList(),
                folder(),
                chosen(null, List.of(1, 4, 8), List.of(4)),
                plan(),
                chosen(null, 7, 1),
                chosen(null, 10_000, 1_000),
                slowServer.time(),
                strict);
        return new LimitsRun(Home.current(), options, Programs.ofThisMachine(), progress).run();
    }

    private Path folder() {
        Path named = folder == null ? Home.current().target() : folder;
        return named.toAbsolutePath().normalize();
    }
}
