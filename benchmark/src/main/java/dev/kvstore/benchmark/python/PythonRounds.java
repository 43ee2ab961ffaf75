package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.StorageCalls;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.python.PythonCase.PythonRound;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Rounds in which all clients take turns (A B A B), so that a machine that becomes slower slows all of them. For one
 * thread.
 */
final class PythonRounds {
    /** The partition of blocks that measure writing, as {@code kvstore_bench.prompts} has it. */
    private static final Partition WRITTEN = Partition.of("python/written");

    /** Reads before each measurement of reading, which bring back what was written over. */
    private static final Duration LEAD = Duration.ofMillis(200);

    /** Most of all reads that may come from storage, as a share. */
    private static final double MOST_FROM_STORAGE = 0.01;

    /** Calls to storage that a data plane may make meanwhile for its own purposes. */
    private static final double ITS_OWN = 2;

    private static final double MILLI = 1e-3;

    private record Measured(PythonPeer peer, PythonOperation operation, boolean busy) {}

    private final PythonOptions options;
    private final Map<PythonPeer, PythonProcess> clients;
    private final StorageCalls storageCalls;
    private final Path storage;
    private final BenchProgress progress;
    private final List<String> flaws;
    private final Map<Measured, List<PythonRound>> rounds = new LinkedHashMap<>();

    /**
     * @param clients are there when it runs
     * @param folder of the stack
     * @param flaws takes everything that is wrong
     */
    PythonRounds(
            PythonOptions options,
            Map<PythonPeer, PythonProcess> clients,
            LocalStack stack,
            Path folder,
            BenchProgress progress,
            List<String> flaws) {
        this.options = options;
        this.clients = clients;
        this.storageCalls = new StorageCalls(stack.dataPlanes());
        this.storage = folder.resolve("storage");
        this.progress = progress;
        this.flaws = flaws;
    }

    /** The cases that have a round. */
    List<PythonCase> cases() {
        return rounds.entrySet().stream()
                .map(entry -> new PythonCase(
                        entry.getKey().peer(),
                        entry.getKey().operation(),
                        entry.getKey().busy(),
                        entry.getValue()))
                .toList();
    }

    void run() throws IOException, InterruptedException {
        for (PythonPeer peer : clients.keySet()) {
            progress.accept("storing blocks and warming up: " + peer.title());
            guarded(() -> {
                var _ = client(peer).ask(Map.of("do", "stock"));
                verify(peer);
                var _ = measure(peer, PythonOperation.READ, false, options.warmUp());
            });
        }
        progress.plan(Math.max(1, options.rounds() * PythonOperation.values().length * 2));
        for (int round = 1; round <= options.rounds(); round++) {
            for (PythonOperation operation : PythonOperation.values()) {
                for (boolean busy : List.of(false, true)) {
                    progress.step("round %d of %d, %s%s"
                            .formatted(round, options.rounds(), operation.key(), busy ? " beside a busy thread" : ""));
                    round(operation, busy);
                }
            }
        }
        for (PythonPeer peer : clients.keySet()) {
            guarded(() -> verify(peer));
        }
    }

    private void round(PythonOperation operation, boolean busy) throws IOException, InterruptedException {
        for (PythonPeer peer : clients.keySet()) {
            if (operation == PythonOperation.WRITE && !peer.writes()) {
                continue;
            }
            guarded(() -> {
                PythonRound figures = operation == PythonOperation.READ ? read(peer, busy) : write(peer, busy);
                rounds.computeIfAbsent(new Measured(peer, operation, busy), _ -> new ArrayList<>())
                        .add(figures);
            });
        }
    }

    private PythonRound read(PythonPeer peer, boolean busy) throws IOException, InterruptedException {
        var _ = measure(peer, PythonOperation.READ, busy, LEAD);
        if (!peer.isOfTheDataPlane()) {
            return measure(peer, PythonOperation.READ, busy, options.time()).figures();
        }
        Map<String, Double> calls = new TreeMap<>();
        Answer answer =
                Objects.requireNonNull(storageCalls.during(calls, () -> unchecked(peer, PythonOperation.READ, busy)));
        double fromStorage = calls.getOrDefault("get", 0.0) + calls.getOrDefault("get_range", 0.0);
        double blocks = (double) answer.bytes() / PythonOptions.BLOCK_BYTES;
        if (fromStorage > ITS_OWN + blocks * MOST_FROM_STORAGE) {
            flaw("%s: of %.0f blocks %.0f were read from storage: this is not DRAM"
                    .formatted(peer.title(), blocks, fromStorage));
        }
        return answer.figures();
    }

    private PythonRound write(PythonPeer peer, boolean busy) throws IOException, InterruptedException {
        Answer answer = measure(peer, PythonOperation.WRITE, busy, options.time());
        var _ = client(peer).ask(Map.of("do", "clear"));
        if (peer.isOfTheDataPlane()) {
            StoredBlocks.delete(storage, WRITTEN);
        }
        return answer.figures();
    }

    private record Answer(long bytes, double seconds, double cpuSeconds) {
        PythonRound figures() {
            return PythonRound.of(bytes, seconds, cpuSeconds);
        }
    }

    private Answer unchecked(PythonPeer peer, PythonOperation operation, boolean busy) throws InterruptedException {
        try {
            return measure(peer, operation, busy, options.time());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer measure(PythonPeer peer, PythonOperation operation, boolean busy, Duration time)
            throws IOException, InterruptedException {
        JsonNode answer = client(peer)
                .ask(Map.of(
                        "do",
                        "measure",
                        "operation",
                        operation.key(),
                        "busy",
                        busy,
                        "seconds",
                        time.toMillis() * MILLI,
                        "most_batches",
                        operation == PythonOperation.READ ? Integer.MAX_VALUE : PythonOptions.MOST_WRITTEN));
        return new Answer(
                answer.path("bytes").asLong(),
                answer.path("seconds").asDouble(),
                answer.path("cpu_seconds").asDouble());
    }

    private void verify(PythonPeer peer) throws IOException, InterruptedException {
        for (JsonNode flaw : client(peer).ask(Map.of("do", "verify")).path("flaws")) {
            flaw(peer.title() + ": " + flaw.asText());
        }
    }

    private PythonProcess client(PythonPeer peer) {
        return Objects.requireNonNull(clients.get(peer));
    }

    @FunctionalInterface
    private interface PeerWork {
        void run() throws IOException, InterruptedException;
    }

    /** A peer that fails is a flaw, and the others go on. */
    private void guarded(PeerWork work) throws IOException, InterruptedException {
        try {
            work.run();
        } catch (LaunchException e) {
            flaw(Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }

    private void flaw(String sentence) {
        if (!flaws.contains(sentence)) {
            flaws.add(sentence);
            progress.accept("FAILED: " + sentence);
        }
    }
}
