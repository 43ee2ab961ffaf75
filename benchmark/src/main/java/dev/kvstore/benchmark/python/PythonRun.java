package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The benchmark's course: starts servers, then a Python process for each client, then measures. For one thread. */
final class PythonRun {
    /** Memory, where Linux offers it as a folder. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long MEMORY_BYTES = 4L << 30;

    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "1G",
            "KVSTORE_TRANSFER_MEMORY", "512M",
            "KVSTORE_INBOUND_MEMORY", "512M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "512M",
            "KVSTORE_DISK_TIER_SIZE", "0");

    private static final double MILLI = 1e-3;

    private final Home home;
    private final PythonOptions options;
    private final BenchProgress progress;
    private final List<PythonReport.MissingPythonPeer> missing = new ArrayList<>();
    private final List<String> flaws = new ArrayList<>();

    PythonRun(Home home, PythonOptions options, BenchProgress progress) {
        this.home = home;
        this.options = options;
        this.progress = progress;
    }

    /** All of it, or the rounds so far when this thread is interrupted. */
    PythonReport run() throws IOException, InterruptedException {
        double loadBefore = load();
        progress.accept("preparing Python, which takes a minute or two the first time");
        PythonEnvironment python = PythonEnvironment.of(home);
        Path storage = storage();
        Files.createDirectories(home.target());
        Files.createDirectories(storage);
        boolean interrupted = false;
        List<PythonCase> cases = List.of();
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-python-");
                BenchFolder durable = BenchFolder.ofThisProcess(storage, "kv-python-storage-")) {
            progress.accept("starting a data plane");
            StackOptions stackOptions = StackOptions.onFreePorts(home, durable.path())
                    .withDataPlanes(1)
                    .withSettings(SETTINGS);
            SecureRandom random = new SecureRandom();
            try (LocalStack stack = LocalStack.start(stackOptions, random);
                    PythonServers servers = new PythonServers(stack, folder.path(), random)) {
                Map<PythonPeer, PythonProcess> clients = new LinkedHashMap<>();
                PythonRounds rounds = new PythonRounds(options, clients, stack, durable.path(), progress, flaws);
                try {
                    start(python, servers, stack, folder.path(), clients);
                    rounds.run();
                } catch (InterruptedException e) {
                    interrupted = true;
                } finally {
                    clients.values().forEach(PythonProcess::close);
                }
                cases = rounds.cases();
            } finally {
                if (!flaws.isEmpty()) {
                    Path logs = home.target().resolve("kv-python-logs");
                    folder.rescue("logs", logs);
                    progress.accept("the processes' logs are kept in " + logs);
                }
            }
        }
        return new PythonReport(
                conditions(python, loadBefore, storage), cases, PythonGoal.of(cases), missing, flaws, interrupted);
    }

    private void start(
            PythonEnvironment python,
            PythonServers servers,
            LocalStack stack,
            Path folder,
            Map<PythonPeer, PythonProcess> clients)
            throws IOException, InterruptedException {
        for (PythonPeer peer : options.peers()) {
            progress.accept("starting " + peer.title());
            String flaw = peer.requirements().isEmpty() ? "" : python.install(peer.requirements());
            if (!flaw.isEmpty()) {
                miss(peer, "pip install -r " + peer.requirements() + ": " + flaw);
                continue;
            }
            try {
                PythonEnvironment its = peer.isOfLmcache() ? python.ofEngine(home, "lmcache") : python;
                clients.put(peer, client(its, peer, servers.start(peer, its), stack, folder));
            } catch (LaunchException e) {
                miss(peer, Objects.requireNonNullElse(e.getMessage(), e.toString()));
            }
        }
    }

    /** @throws LaunchException if it cannot be opened, as where a library is not there */
    private static PythonProcess client(
            PythonEnvironment python, PythonPeer peer, Map<String, Object> peerOptions, LocalStack stack, Path folder)
            throws IOException, InterruptedException {
        PythonProcess client = PythonProcess.start(
                peer.title(),
                python,
                "peer",
                Map.of("KV_API_KEY", stack.key().text()),
                folder.resolve("logs").resolve("client-" + peer.key() + ".log"));
        try {
            var _ = client.ask(Map.of(
                    "do",
                    "open",
                    "module",
                    peer.module(),
                    "options",
                    peerOptions,
                    "block_bytes",
                    PythonOptions.BLOCK_BYTES,
                    "batches",
                    PythonOptions.BATCHES,
                    "blocks_per_batch",
                    PythonOptions.BLOCKS_PER_BATCH));
            return client;
        } catch (IOException | InterruptedException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private void miss(PythonPeer peer, String why) {
        String way = peer.packages().isEmpty() ? "" : "; install " + peer.packages();
        String line = why.lines().findFirst().orElse("") + way;
        missing.add(new PythonReport.MissingPythonPeer(peer, line));
        progress.accept("not installed: " + peer.title() + ": " + line);
    }

    /** Where blocks are durable: in memory if there is room, so that it is not the disk that is measured. */
    private Path storage() throws IOException {
        boolean room = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= MEMORY_BYTES;
        return room ? MEMORY : home.target();
    }

    private PythonReport.PythonConditions conditions(PythonEnvironment python, double loadBefore, Path storage)
            throws IOException, InterruptedException {
        return new PythonReport.PythonConditions(
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                python.version(),
                loadBefore,
                load(),
                options.time().toMillis() * MILLI,
                options.rounds(),
                PythonOptions.BLOCK_BYTES,
                PythonOptions.BLOCKS_PER_BATCH,
                storage.equals(MEMORY) ? "memory (" + MEMORY + ")" : "a folder on disk, synced");
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
