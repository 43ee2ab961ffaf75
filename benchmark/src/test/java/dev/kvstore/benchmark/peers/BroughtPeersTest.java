package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.peers.load.BadBlockException;
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
import org.junit.jupiter.params.provider.CsvSource;

/** The peers that the benchmark brings along, as real processes. */
@Tag("slow")
class BroughtPeersTest {
    private static final int BLOCK_BYTES = 1_200_000;

    @TempDir
    Path folder;

    private PeerSetup setup(Damage damage, StartedProcesses processes) {
        return new PeerSetup(
                new Home(folder),
                folder,
                folder,
                WorkingSet.of(BLOCK_BYTES, damage),
                Programs.in(""),
                processes,
                new Detours(Duration.ZERO),
                new Random());
    }

    private static RunningPeer start(ComparedSystem peer, PeerSetup setup) throws Exception {
        List<String> flaws = new ArrayList<>();
        Map<ComparedSystem, RunningPeer> peers = PeerSite.start(setup, List.of(peer), flaws::add);
        assertThat(flaws).isEmpty();
        return Objects.requireNonNull(peers.get(peer));
    }

    @ParameterizedTest
    @CsvSource({"TCP, STREAM", "GRPC, UNARY"})
    void serveEveryByteAndAreMeasured(ComparedSystem peer, PeerOperation operation) throws Exception {
        try (StartedProcesses processes = new StartedProcesses(folder.resolve("logs"))) {
            RunningPeer running = start(peer, setup(Damage.NONE, processes));

            running.verify(operation);
            LoadMeasurement measurement = running.run(operation, 2, Duration.ofMillis(100), Duration.ofSeconds(1));

            assertThat(measurement.bytes()).isPositive();
            assertThat(measurement.seconds()).isGreaterThanOrEqualTo(1);
            assertThat(measurement.clientCpuSeconds()).isPositive();
            assertThat(measurement.serverCpuSeconds()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TCP, STREAM, LOST, block 64 is missing",
        "TCP, STREAM, CORRUPTED, block 64 is not what was written: it differs at byte 1199999",
        "GRPC, UNARY, LOST, block 64 is missing",
        "GRPC, UNARY, CORRUPTED, block 64 is not what was written: it differs at byte 1199999",
    })
    void aBlockThatIsLostOrCorruptedIsNoticed(ComparedSystem peer, PeerOperation operation, Damage damage, String flaw)
            throws Exception {
        try (StartedProcesses processes = new StartedProcesses(folder.resolve("logs"))) {
            RunningPeer running = start(peer, setup(damage, processes));

            assertThatThrownBy(() -> running.verify(operation))
                    .isInstanceOf(BadBlockException.class)
                    .hasMessage(flaw);
        }
    }
}
