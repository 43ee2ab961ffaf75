package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Rounds;
import dev.kvstore.benchmark.measure.RoundsCommand.RoundPlan;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.benchmark.process.StartedProcesses;
import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.python.PythonCase.PythonRound;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The benchmark's course: starts servers, then a Python process for each client, then has all clients take turns (A B A
 * B), so that a machine that becomes slower slows all of them. For one thread.
 */
final class PythonRun {
    /** Most batches of one measurement of writing, 230 MB, which the storage has to hold. */
    private static final int MOST_WRITTEN = 6;

    /** The partition of blocks that measure writing, as {@code kvstore_bench.prompts} has it. */
    private static final Partition WRITTEN = Partition.of("python/written");

    /** Reads before each measurement of reading, which bring back what was written over. */
    private static final Duration LEAD = Duration.ofMillis(200);

    private static final long MEMORY_BYTES = 4L << 30;

    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "1G",
            "KVSTORE_TRANSFER_MEMORY", "512M",
            "KVSTORE_INBOUND_MEMORY", "512M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "512M",
            "KVSTORE_DISK_TIER_SIZE", "0");

    private static final double MILLI = 1e-3;

    private final Home home;
    private final List<PythonPeer> peers;
    private final RoundPlan plan;
    private final BenchProgress progress;
    private final Map<PythonPeer, PythonProcess> clients = new LinkedHashMap<>();
    private final List<PythonReport.MissingPythonPeer> missing = new ArrayList<>();
    private final List<String> flaws = new ArrayList<>();
    private final Rounds<PythonCase, PythonRound> rounds;

    /** @param peers in the order in which they take turns */
    PythonRun(Home home, List<PythonPeer> peers, RoundPlan plan, BenchProgress progress) {
        this.home = home;
        this.peers = peers;
        this.plan = plan;
        this.progress = progress;
        this.rounds = new Rounds<>(progress, flaws::add);
    }

    /** Runs all rounds. The report has the complete rounds where this thread is interrupted. */
    PythonReport run() throws IOException, InterruptedException {
        double loadBefore = load();
        progress.accept("preparing Python, which takes a minute or two the first time");
        PythonEnvironment python = PythonEnvironment.of(home);
        Path storage = BenchFolder.inMemory(MEMORY_BYTES, home.target());
        Files.createDirectories(home.target());
        boolean interrupted = false;
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-python-");
                BenchFolder durable = BenchFolder.ofThisProcess(storage, "kv-python-storage-")) {
            progress.accept("starting a data plane");
            StackOptions stackOptions = StackOptions.onFreePorts(home, durable.path())
                    .withDataPlanes(1)
                    .withSettings(SETTINGS);
            try (LocalStack stack = LocalStack.start(stackOptions, new SecureRandom());
                    StartedProcesses processes =
                            new StartedProcesses(folder.path().resolve("logs"))) {
                PythonServers servers = new PythonServers(stack, folder.path(), processes, new SecureRandom());
                for (PythonPeer peer : peers) {
                    start(peer, python, servers);
                }
                List<PythonCase> cases = cases();
                progress.plan(Math.max(1, Rounds.steps(cases.size(), plan.rounds())));
                rounds.run(cases, plan.rounds(), (one, round) -> measure(one, round, stack, durable.path()));
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (!flaws.isEmpty()) {
                folder.rescueLogs(home.target().resolve("kv-python-logs"), progress);
            }
        }
        List<PythonCase> cases = new ArrayList<>();
        rounds.found().forEach((one, measured) -> cases.add(one.with(measured)));
        return new PythonReport(
                conditions(python, loadBefore, storage), cases, PythonGoal.of(cases), missing, flaws, interrupted);
    }

    /** A peer that the machine does not have is missing, which is no failure. */
    private void start(PythonPeer peer, PythonEnvironment python, PythonServers servers)
            throws IOException, InterruptedException {
        progress.accept("starting " + peer.title());
        try {
            String flaw = peer.requirements().isEmpty() ? "" : python.install(peer.requirements());
            if (!flaw.isEmpty()) {
                throw new LaunchException("pip install -r " + peer.requirements() + ": " + flaw);
            }
            PythonEnvironment its = peer.isOfLmcache() ? ofLmcache() : python;
            Map<String, Object> options = servers.start(peer, its);
            PythonProcess client = PythonProcess.start(
                    peer.title(),
                    its,
                    "peer",
                    Map.of("KV_API_KEY", servers.stack().key().text()),
                    servers.processes().log("client-" + peer.key()));
            servers.processes().atEnd(client::close);
            var _ = client.ask(PythonServers.open(Map.of("module", peer.module(), "options", options)));
            clients.put(peer, client);
        } catch (LaunchException e) {
            String why = Objects.requireNonNullElse(e.getMessage(), e.toString());
            String line = why.lines().findFirst().orElse("")
                    + (peer.packages().isEmpty() ? "" : "; install " + peer.packages());
            missing.add(new PythonReport.MissingPythonPeer(peer, line));
            progress.accept("not installed: " + peer.title() + ": " + line);
        }
    }

    private PythonEnvironment ofLmcache() throws IOException {
        return PythonEnvironment.ofEngine(home, "lmcache")
                .orElseThrow(
                        () -> new LaunchException("it is not in target/engines; ./kv test --engines lmcache makes it"));
    }

    private List<PythonCase> cases() {
        return Stream.of(PythonOperation.values())
                .flatMap(operation -> Stream.of(false, true)
                        .flatMap(busy -> clients.keySet().stream()
                                .filter(peer -> operation == PythonOperation.READ || peer.writes())
                                .map(peer -> new PythonCase(peer, operation, busy, List.of()))))
                .toList();
    }

    private PythonRound measure(PythonCase one, int round, LocalStack stack, Path folder)
            throws IOException, InterruptedException {
        PythonProcess client = Objects.requireNonNull(clients.get(one.peer()));
        boolean reads = one.operation() == PythonOperation.READ;
        if (round == 0) {
            return reads && !one.besideBusyThread() ? warmUp(client, one) : PythonRound.NONE;
        }
        if (!reads) {
            JsonNode answer = order(client, one, plan.time());
            var _ = client.ask(Map.of("do", "clear"));
            if (one.peer().isOfTheDataPlane()) {
                StoredBlocks.delete(folder.resolve("storage"), WRITTEN);
            }
            return figures(answer);
        }
        var _ = order(client, one, LEAD);
        Map<String, Double> calls = new TreeMap<>();
        JsonNode answer = DataPlaneUse.during(
                () -> DataPlaneUse.of(stack.dataPlanes()), calls, () -> order(client, one, plan.time()));
        if (one.peer().isOfTheDataPlane()) {
            DataPlaneUse.requireFew(calls, answer.path("bytes").asLong() / PythonServers.BLOCK_BYTES);
        }
        if (round == plan.rounds()) {
            verify(client);
        }
        return figures(answer);
    }

    private PythonRound warmUp(PythonProcess client, PythonCase one) throws IOException, InterruptedException {
        var _ = client.ask(Map.of("do", "stock"));
        verify(client);
        return figures(order(client, one, plan.warmUp()));
    }

    private static JsonNode order(PythonProcess client, PythonCase one, Duration time)
            throws IOException, InterruptedException {
        boolean reads = one.operation() == PythonOperation.READ;
        return client.ask(Map.of(
                "do",
                "measure",
                "operation",
                one.operation().key(),
                "busy",
                one.besideBusyThread(),
                "seconds",
                time.toMillis() * MILLI,
                "most_batches",
                reads ? Integer.MAX_VALUE : MOST_WRITTEN));
    }

    private static PythonRound figures(JsonNode answer) {
        return PythonRound.of(
                answer.path("bytes").asLong(),
                answer.path("seconds").asDouble(),
                answer.path("cpu_seconds").asDouble());
    }

    private static void verify(PythonProcess client) throws IOException, InterruptedException {
        JsonNode flaws = client.ask(Map.of("do", "verify")).path("flaws");
        if (!flaws.isEmpty()) {
            throw new IllegalStateException(flaws.get(0).asText());
        }
    }

    private PythonReport.PythonConditions conditions(PythonEnvironment python, double loadBefore, Path storage)
            throws InterruptedException {
        return new PythonReport.PythonConditions(
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                python.version(),
                loadBefore,
                load(),
                plan.seconds(),
                plan.rounds(),
                PythonServers.BLOCK_BYTES,
                PythonServers.BLOCKS_PER_BATCH,
                BenchFolder.place(storage));
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
