package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.Rounds;
import dev.kvstore.benchmark.measure.RoundsCommand.RoundPlan;
import dev.kvstore.benchmark.peers.PeersReport.MissingPeer;
import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.benchmark.process.StartedProcesses;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The benchmark's course, size after size. For one thread. */
final class PeersRun {
    private static final long MEMORY_BYTES = 6L << 30;
    private static final long LITTLE_NANOS = 50_000_000;
    private static final double SECOND = 1e9;

    private final Home home;
    private final PeersOptions options;
    private final Programs programs;
    private final BenchProgress progress;
    private final List<PeersReport.BlockSet> sets = new ArrayList<>();
    private final Map<PeerCase, List<LoadMeasurement>> found = new LinkedHashMap<>();
    private final List<String> flaws = new ArrayList<>();

    /**
     * The cases of a run and their times.
     *
     * @param peers the wanted peers, whether the machine has them or not
     * @param sizes bytes per block
     * @param clients how many at a time, a case each
     * @param lead before each measurement, since the one before it was of something else
     * @param slowed how much later every server is made to answer
     * @param damage of one block of the working set
     */
    record PeersOptions(
            List<ComparedSystem> peers,
            List<Integer> sizes,
            List<Integer> clients,
            RoundPlan plan,
            Duration lead,
            Duration slowed,
            Damage damage) {}

    PeersRun(Home home, PeersOptions options, Programs programs, BenchProgress progress) {
        this.home = home;
        this.options = options;
        this.programs = programs;
        this.progress = progress;
    }

    /** All of it, or what there is when this thread is interrupted. */
    PeersReport run() throws IOException {
        List<ComparedSystem> present = new ArrayList<>();
        List<MissingPeer> missing = new ArrayList<>();
        for (ComparedSystem peer : options.peers()) {
            List<PeerProgram> absent = programs.missing(peer.programs());
            if (absent.isEmpty()) {
                present.add(peer);
            } else {
                missing.add(MissingPeer.of(peer, absent));
                progress.accept("not there: " + missing.getLast());
            }
        }
        double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Path storage = BenchFolder.inMemory(MEMORY_BYTES, home.target());
        Map<String, String> versions = new TreeMap<>();
        boolean interrupted = false;
        try {
            versions.putAll(versions());
            for (int size : options.sizes()) {
                measure(size, present, storage);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return PeersReport.of(conditions(loadAverage, storage, versions), sets, found, missing, flaws, interrupted);
    }

    private void measure(int size, List<ComparedSystem> present, Path storage)
            throws IOException, InterruptedException {
        WorkingSet set = WorkingSet.of(size, options.damage());
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-peers-");
                BenchFolder durable = BenchFolder.ofThisProcess(storage, "kv-peers-storage-")) {
            int flawsBefore = flaws.size();
            progress.accept("blocks of " + size + " bytes: starting "
                    + String.join(
                            ", ", present.stream().map(ComparedSystem::title).toList()));
            try (Detours detours = new Detours(options.slowed());
                    StartedProcesses processes =
                            new StartedProcesses(folder.path().resolve("logs"))) {
                PeerSetup setup = new PeerSetup(
                        home, folder.path(), durable.path(), set, programs, processes, detours, new SecureRandom());
                Map<ComparedSystem, RunningPeer> peers = PeerSite.start(setup, present, flaws::add);
                sets.add(PeersReport.BlockSet.of(set));
                rounds(peers, cases(size, peers.keySet()));
            } finally {
                if (flaws.size() > flawsBefore) {
                    folder.rescueLogs(home.target().resolve("kv-peers-logs"), progress);
                }
            }
        }
    }

    private List<PeerCase> cases(int size, Collection<ComparedSystem> peers) {
        return options.clients().stream()
                .flatMap(clients -> peers.stream()
                        .flatMap(peer -> peer.operations().stream()
                                .map(operation -> new PeerCase(peer, operation, size, clients))))
                .toList();
    }

    private void rounds(Map<ComparedSystem, RunningPeer> peers, List<PeerCase> cases) throws InterruptedException {
        int last = options.plan().rounds();
        // The sizes to come take as long, but for their start, which does not count.
        int sizesLeft = options.sizes().size() - sets.size() + 1;
        progress.plan(Math.max(1, Rounds.steps(cases.size(), last) * sizesLeft));
        Rounds<PeerCase, LoadMeasurement> rounds = new Rounds<>(progress, flaws::add);
        try {
            rounds.run(cases, last, (one, round) -> {
                RunningPeer peer = Objects.requireNonNull(peers.get(one.peer()));
                // Written blocks are verified as they are measured.
                boolean verified = !one.operation().writes();
                if (verified && round == 0) {
                    peer.verify(one.operation());
                }
                LoadMeasurement measurement = round == 0
                        ? warmUp(one, peer)
                        : peer.run(
                                one.operation(),
                                one.clients(),
                                options.lead(),
                                options.plan().time());
                if (verified && round == last) {
                    peer.verify(one.operation());
                }
                return measurement;
            });
        } finally {
            found.putAll(rounds.found());
        }
    }

    private LoadMeasurement warmUp(PeerCase one, RunningPeer peer) throws IOException, InterruptedException {
        long left = options.plan().warmUp().toNanos();
        while (true) {
            LoadMeasurement measurement =
                    peer.run(one.operation(), one.clients(), Duration.ZERO, Duration.ofNanos(left));
            left -= (long) (measurement.seconds() * SECOND);
            if (left <= LITTLE_NANOS) {
                return measurement;
            }
        }
    }

    private Map<String, String> versions() throws InterruptedException {
        Map<String, String> versions = new TreeMap<>();
        for (PeerProgram program : PeerProgram.values()) {
            Path path = programs.paths().get(program);
            if (path != null
                    && options.peers().stream().anyMatch(peer -> peer.programs().contains(program))) {
                String flag = program.command().startsWith("redis") ? "--version" : "-v";
                String said = ProgramRun.of(List.of(path.toString(), flag)).output();
                versions.put(
                        program.command(), said.lines().findFirst().orElse("").strip());
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
                options.plan().warmUpSeconds(),
                options.plan().seconds(),
                options.plan().rounds(),
                BenchFolder.place(storage),
                options.slowed().toMillis(),
                versions);
    }
}
