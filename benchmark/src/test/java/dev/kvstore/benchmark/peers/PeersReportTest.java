package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The figures that follow from the measurements. */
class PeersReportTest {
    private static final PeersReport.PeersConditions CONDITIONS =
            new PeersReport.PeersConditions("Linux", 2, "25", 0.1, 8, 3, 3, "memory (/dev/shm)", 0, Map.of());

    private final Map<PeerCase, List<LoadMeasurement>> cases = new LinkedHashMap<>();
    private final List<PeersReport.MissingPeer> missing = new ArrayList<>();
    private final List<String> flaws = new ArrayList<>();

    /** A case whose rounds had these GB/s, each with 1 CPU-second of the client and 2 of the server per GB. */
    private void measured(ComparedSystem peer, PeerOperation operation, int clients, double... rates) {
        measured(peer, operation, Ratio.BLOCK_BYTES, clients, 1, rates);
    }

    private void measured(
            ComparedSystem peer, PeerOperation operation, int size, int clients, double cpu, double... rates) {
        List<LoadMeasurement> rounds = Arrays.stream(rates)
                .mapToObj(rate -> new LoadMeasurement((long) (rate * 1e9), 1, rate * cpu, rate * cpu * 2))
                .toList();
        cases.put(new PeerCase(peer, operation, size, clients), rounds);
    }

    private PeersReport report() {
        return PeersReport.of(
                CONDITIONS,
                List.of(new PeersReport.BlockSet(Ratio.BLOCK_BYTES, 128, 32)),
                cases,
                missing,
                flaws,
                false);
    }

    @Test
    void comparesEachAtItsBestNumberOfClients() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1.0, 1.1, 1.2);
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 4, 1.9, 2.0, 2.2);
        measured(ComparedSystem.REDIS, PeerOperation.GET, 1, 1.5, 1.6, 1.7);
        measured(ComparedSystem.REDIS, PeerOperation.GET, 20, 0.9, 1.0, 1.1);

        Ratio.Value value = Objects.requireNonNull(report().ratioFigures().get("readVsRedisGet"));

        assertThat(value.value()).isCloseTo(2.0 / 1.6, within(1e-9));
        assertThat(value.clients()).isEqualTo(4);
        assertThat(value.peerClients()).isEqualTo(1);
    }

    @Test
    void takesTheBetterOfTheTwoWaysOfNginx() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 2);
        measured(ComparedSystem.NGINX, PeerOperation.SENDFILE, 4, 3);
        measured(ComparedSystem.NGINX, PeerOperation.BUFFERS, 8, 4);

        assertThat(report().ratios().get("readVsNginx")).isEqualTo(0.5);
    }

    @Test
    void comparesProcessorTimeOfClientAndServerTogether() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, Ratio.BLOCK_BYTES, 1, 2, 1.0);
        measured(ComparedSystem.REDIS, PeerOperation.GET, Ratio.BLOCK_BYTES, 1, 1, 1.0);

        assertThat(report().ratios().get("cpuPerGbVsRedis")).isCloseTo(2.0, within(1e-9));
    }

    @Test
    void comparesOnlyBlocksOfTheUsualSize() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 512, 1, 1, 1.0);
        measured(ComparedSystem.TCP, PeerOperation.STREAM, 512, 1, 1, 1.0);

        assertThat(report().ratios()).containsEntry("readVsTcp", null);
    }

    @Test
    void theJsonHasEveryRatioAndNullForWhatIsNotThere() throws Exception {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1);
        measured(ComparedSystem.TLS, PeerOperation.STREAMING_READ, 1, 0.5);

        JsonNode json = new ObjectMapper().readTree(new ObjectMapper().writeValueAsString(report()));

        assertThat(json.get("ratios").properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "readVsRedisGet",
                        "readVsLettuce",
                        "readVsNginx",
                        "readVsStockGrpc",
                        "readVsTcp",
                        "unaryVsLettuce",
                        "writeVsRedisSet",
                        "cpuPerGbVsRedis",
                        "tlsVsPlaintext");
        assertThat(json.get("ratios").get("tlsVsPlaintext").asDouble()).isEqualTo(0.5);
        assertThat(json.get("ratios").get("readVsRedisGet").isNull()).isTrue();
        assertThat(json.get("cases").get(0).get("peer").asText()).isEqualTo("kvstore");
        assertThat(json.get("cases").get(0).get("operation").asText()).isEqualTo("StreamingRead");
    }

    @Test
    void aMissingPeerIsNamedWithItsPackageAndFailsNothing() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1);
        missing.add(PeersReport.MissingPeer.of(ComparedSystem.NGINX, List.of(PeerProgram.WRK)));

        assertThat(report().holds()).isTrue();
        assertThat(report().text())
                .contains("MISSING nginx: no wrk; install wrk")
                .containsPattern("one of the two was not measured: [^.]*readVsNginx");
    }

    @Test
    void aMissingBlockFailsTheRun() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1);
        flaws.add("KV Store Read, 512 B, 1 client: block 7 is missing");

        assertThat(report().holds()).isFalse();
        assertThat(report().text()).contains("FAILED: KV Store Read, 512 B, 1 client: block 7 is missing");
    }

    @Test
    void whatWasInterruptedDoesNotHold() {
        PeersReport report = PeersReport.of(CONDITIONS, List.of(), cases, missing, flaws, true);

        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("INTERRUPTED");
    }

    @Test
    void noiseIsWhatTheRoundsTell() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 0.8, 1.0, 1.1);

        assertThat(report().cases().getFirst().noise()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void roundsThatAgreeByChanceHaveTheNoiseOfTheTypicalCase() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1.0, 1.0, 1.0);
        measured(ComparedSystem.TCP, PeerOperation.STREAM, 1, 1.0, 1.0, 1.1);
        measured(ComparedSystem.GRPC, PeerOperation.UNARY, 1, 1.0, 1.0, 1.5);

        PeersReport report = report();

        assertThat(report.typicalNoise()).isCloseTo(0.1, within(1e-9));
        assertThat(report.cases().stream().map(CaseFigures::noise))
                .satisfiesExactly(
                        first -> assertThat(first).isCloseTo(0.1, within(1e-9)),
                        second -> assertThat(second).isCloseTo(0.1, within(1e-9)),
                        third -> assertThat(third).isCloseTo(0.5, within(1e-9)));
    }

    @Test
    void aRatioIsAsNoisyAsBothTogether() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1.0, 1.0, 1.25);
        measured(ComparedSystem.TCP, PeerOperation.STREAM, 1, 0.8, 1.0, 1.0);

        Ratio.Value value = Objects.requireNonNull(report().ratioFigures().get("readVsTcp"));

        assertThat(value.low()).isCloseTo(1 / 1.25 / 1.25, within(1e-9));
        assertThat(value.high()).isCloseTo(1.25 * 1.25, within(1e-9));
    }

    @Test
    void thePageHasAChartPerSizeAndTheRatios() {
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 1, 1.0);
        measured(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ, 4, 2.0);

        ReportPage page = report().page("kv bench peers");

        assertThat(page.sections().stream().map(ReportPage.Section::heading))
                .contains("Ratios", "Blocks of 1,200,000 bytes");
        assertThat(page.sections().get(1).figures()).hasSize(4);
    }
}
