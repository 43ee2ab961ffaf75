package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.benchmark.process.StartedProcesses;
import dev.kvstore.launcher.Home;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that answers later is measured as slower, whoever it is and whoever asks it; KV Store's own are in PeersIT.
 */
@Tag("slow")
class SlowedPeersTest {
    private static final WorkingSet SET = WorkingSet.of(1_200_000, Damage.NONE);
    private static final int CLIENTS = 4;
    private static final double SLOWED_SECONDS = 0.1;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"KVSTORE", "KVSTORE_GRPC_JAVA", "TLS", "TLS_GRPC_JAVA"})
    void isMeasuredAsSlower(ComparedSystem peer) throws Exception {
        Programs programs = Programs.ofThisMachine();
        List<PeerProgram> missing = programs.missing(peer.programs());
        assumeTrue(missing.isEmpty(), () -> "missing: " + PeersReport.MissingPeer.of(peer, missing));
        List<String> flaws = new ArrayList<>();
        Duration slowed = Duration.ofMillis((long) (SLOWED_SECONDS * 1_000));

        try (Detours detours = new Detours(slowed);
                StartedProcesses processes = new StartedProcesses(folder.resolve("logs"))) {
            PeerSetup setup =
                    new PeerSetup(new Home(folder), folder, folder, SET, programs, processes, detours, new Random());
            Map<ComparedSystem, RunningPeer> peers = PeerSite.start(setup, List.of(peer), flaws::add);
            assertThat(flaws).isEmpty();
            for (PeerOperation operation : peer.operations()) {
                LoadMeasurement measurement = Objects.requireNonNull(peers.get(peer))
                        .run(operation, CLIENTS, Duration.ZERO, Duration.ofSeconds(1));

                // Each client has one request under way, and one more whose answer was still on its way when time
                // began.
                double most = CLIENTS * (measurement.seconds() / SLOWED_SECONDS + 1);
                assertThat(requests(operation, measurement))
                        .as(peer + " " + operation)
                        .isPositive()
                        .isLessThanOrEqualTo(most);
            }
        }
    }

    private static double requests(PeerOperation operation, LoadMeasurement measurement) {
        int blocks = operation == PeerOperation.STREAM ? SET.blocksPerPrompt() : 1;
        return (double) measurement.bytes() / SET.blockBytes() / blocks;
    }
}
