package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Blocks of one size: all cases warmed up, then round after round, so that what disturbs the machine for a while does
 * not hit one peer alone. A case that fails is left out from then on, and the others go on. For one thread.
 */
final class PeerRounds {
    private static final Duration LITTLE = Duration.ofMillis(50);

    private final Arena arena;
    private final PeersOptions options;
    private final BenchProgress progress;
    private final List<String> flaws;
    private final Map<PeerCase, List<LoadMeasurement>> found = new LinkedHashMap<>();

    /** @param flaws receives everything that is missing, wrong or failed */
    PeerRounds(Arena arena, PeersOptions options, BenchProgress progress, List<String> flaws) {
        this.arena = arena;
        this.options = options;
        this.progress = progress;
        this.flaws = flaws;
    }

    /** Something that is done to a case. */
    @FunctionalInterface
    private interface RoundStep {
        void run(RunningPeer peer) throws IOException, InterruptedException;
    }

    void run(int blockBytes) throws InterruptedException {
        List<PeerCase> cases = cases(blockBytes);
        cases.forEach(one -> found.put(one, new ArrayList<>()));
        for (PeerCase one : cases) {
            step("warming up: ", one, peer -> warmUp(one, peer));
        }
        for (int round = 1; round <= options.rounds(); round++) {
            boolean last = round == options.rounds();
            for (PeerCase one : cases) {
                step("round " + round + " of " + options.rounds() + ": ", one, peer -> {
                    measurements(one).add(peer.run(one.operation(), one.clients(), options.lead(), options.time()));
                    if (last) {
                        verify(one.operation(), peer);
                    }
                });
            }
        }
    }

    private List<PeerCase> cases(int blockBytes) {
        List<PeerCase> cases = new ArrayList<>();
        for (int clients : options.clients()) {
            for (ComparedSystem peer : arena.peers()) {
                for (PeerOperation operation : peer.operations()) {
                    cases.add(new PeerCase(peer, operation, blockBytes, clients));
                }
            }
        }
        return cases;
    }

    private void step(String what, PeerCase one, RoundStep step) throws InterruptedException {
        progress.step(what + one);
        if (!found.containsKey(one)) {
            return;
        }
        try {
            step.run(arena.peer(one.peer()));
        } catch (RuntimeException | IOException e) {
            Arena.awaitInterrupt();
            found.remove(one);
            String flaw = one + ": " + Arena.reason(e);
            flaws.add(flaw);
            progress.accept("FAILED: " + flaw);
        }
    }

    private void warmUp(PeerCase one, RunningPeer peer) throws IOException, InterruptedException {
        verify(one.operation(), peer);
        Duration left = options.warmUp();
        while (left.compareTo(LITTLE) > 0) {
            LoadMeasurement measurement = peer.run(one.operation(), one.clients(), Duration.ZERO, left);
            left = left.minusNanos(
                    (long) (measurement.seconds() * Duration.ofSeconds(1).toNanos()));
        }
    }

    /** Verifies blocks before and after they are measured; written blocks are verified as they are measured. */
    private static void verify(PeerOperation operation, RunningPeer peer) throws IOException, InterruptedException {
        if (!operation.writes()) {
            peer.verify(operation);
        }
    }

    private List<LoadMeasurement> measurements(PeerCase one) {
        return found.getOrDefault(one, List.of());
    }

    /** The figures of the cases that did not fail and were measured at least once. */
    List<CaseFigures> figures() {
        List<CaseFigures> figures = new ArrayList<>();
        found.forEach((one, rounds) -> {
            if (!rounds.isEmpty()) {
                figures.add(CaseFigures.of(one, rounds));
            }
        });
        return figures;
    }
}
