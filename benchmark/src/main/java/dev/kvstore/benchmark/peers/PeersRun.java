package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The benchmark's course, size after size. For one thread. */
final class PeersRun {
    /** Memory, where Linux offers it as a folder. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long MEMORY_BYTES = 6L << 30;
    private static final double MILLI = 1e-3;

    private final Home home;
    private final PeersOptions options;
    private final Programs programs;
    private final BenchProgress progress;
    private final List<PeersReport.BlockSet> sets = new ArrayList<>();
    private final List<CaseFigures> figures = new ArrayList<>();
    private final List<String> flaws = new ArrayList<>();

    PeersRun(Home home, PeersOptions options, Programs programs, BenchProgress progress) {
        this.home = home;
        this.options = options;
        this.programs = programs;
        this.progress = progress;
    }

    /** All of it, or what there is when this thread is interrupted. */
    PeersReport run() throws IOException {
        List<MissingPeer> missing = missing();
        missing.forEach(one -> progress.accept("not there: " + one));
        List<ComparedSystem> present = options.peers().stream()
                .filter(peer -> programs.missing(peer).isEmpty())
                .toList();
        double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Path storage = storage();
        Map<String, String> versions = new TreeMap<>();
        boolean interrupted = false;
        try {
            versions.putAll(versions());
            int stepsOfASize = options.clients().size()
                    * (1 + options.rounds())
                    * present.stream()
                            .mapToInt(peer -> peer.operations().size())
                            .sum();
            int steps = options.sizes().size() * stepsOfASize;
            for (int size : options.sizes()) {
                measure(size, present, storage, Math.max(1, steps));
                steps -= stepsOfASize;
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return PeersReport.of(conditions(loadAverage, storage, versions), sets, figures, missing, flaws, interrupted);
    }

    /** @param steps of this size and those to come, for which its start, which takes longer, does not count */
    private void measure(int size, List<ComparedSystem> present, Path storage, int steps)
            throws IOException, InterruptedException {
        WorkingSet set = WorkingSet.of(size, options.damage());
        Files.createDirectories(home.target());
        Files.createDirectories(storage);
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-peers-");
                BenchFolder durable = BenchFolder.ofThisProcess(storage, "kv-peers-storage-")) {
            Files.createDirectories(folder.path().resolve("logs"));
            int flawsBefore = flaws.size();
            progress.accept("blocks of " + size + " bytes: starting " + names(present));
            PeerSetup place = new PeerSetup(
                    home, folder.path(), durable.path(), set, options.slowed(), programs, new SecureRandom());
            try (Arena arena = Arena.open(place, present, flaws)) {
                progress.plan(steps);
                sets.add(PeersReport.BlockSet.of(set));
                PeerRounds rounds = new PeerRounds(arena, options, progress, flaws);
                try {
                    rounds.run(size);
                } finally {
                    figures.addAll(rounds.figures());
                }
            } finally {
                if (flaws.size() > flawsBefore) {
                    Path logs = home.target().resolve("kv-peers-logs");
                    folder.rescue("logs", logs);
                    progress.accept("the processes' logs are kept in " + logs);
                }
            }
        }
    }

    private static String names(List<ComparedSystem> peers) {
        return String.join(", ", peers.stream().map(ComparedSystem::title).toList());
    }

    private List<MissingPeer> missing() {
        return options.peers().stream()
                .filter(peer -> !programs.missing(peer).isEmpty())
                .map(peer -> MissingPeer.of(peer, programs.missing(peer)))
                .toList();
    }

    /** Where KV Store's blocks are durable: in memory if there is room, so that it is not the disk that is measured. */
    private Path storage() throws IOException {
        boolean room = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= MEMORY_BYTES;
        return room ? MEMORY : home.target();
    }

    private Map<String, String> versions() throws InterruptedException {
        Map<String, String> versions = new TreeMap<>();
        for (Map.Entry<PeerProgram, Path> program : programs.paths().entrySet()) {
            boolean wanted =
                    options.peers().stream().anyMatch(peer -> peer.programs().contains(program.getKey()));
            if (wanted) {
                String flag =
                        program.getKey() == PeerProgram.REDIS_SERVER || program.getKey() == PeerProgram.REDIS_BENCHMARK
                                ? "--version"
                                : "-v";
                String said = ProgramRun.of(List.of(program.getValue().toString(), flag))
                        .output();
                versions.put(
                        program.getKey().command(),
                        said.lines().findFirst().orElse("").strip());
            }
        }
        return versions;
    }

    private PeersReport.PeersConditions conditions(double loadAverage, Path storage, Map<String, String> versions) {
        return new PeersReport.PeersConditions(
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                loadAverage,
                options.warmUp().toMillis() * MILLI,
                options.time().toMillis() * MILLI,
                options.rounds(),
                storage.equals(MEMORY) ? "memory (" + MEMORY + ")" : "a folder on disk, synced",
                options.slowed().toMillis(),
                versions);
    }
}
