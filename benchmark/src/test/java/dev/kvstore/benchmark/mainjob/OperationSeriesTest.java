package dev.kvstore.benchmark.mainjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.stack.StorageKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationSeriesTest {
    private static final Latencies.Percentiles LATENCY = new Latencies.Percentiles(4, 0.25, 0.5, 20, 30);
    private static final Latencies.Percentiles NONE = new Latencies.Percentiles(0, 0, 0, 0, 0);

    @Test
    void theRateIsTheMedianOfTheRoundsWithTheirExtremes() {
        assertThat(series(1, 4, 2).rate()).isEqualTo(new OperationSeries.SeriesSpread(100, 50, 200));
    }

    @Test
    void anEvenNumberOfRoundsHasItsMedianInTheMiddle() {
        assertThat(series(1, 2).rate().median()).isEqualTo(150);
    }

    @Test
    void megabytesAreMillionsOfBytes() {
        assertThat(measurement(2).rate(MainJobOperation.ResultUnit.MEGABYTES)).isEqualTo(240);
    }

    @Test
    void storageCallsAreToldPerOperation() {
        assertThat(measurement(2).storageCallsPerOperation()).isEqualTo(1.5);
    }

    @Test
    void theTableHasALinePerSeries() {
        String table = MainJobTable.of(report());

        assertThat(table).containsPattern("filesystem +lookup +4 +100 ops/s +50-200 +250 +500 +20000 +- +1.50 +5\\+10");
        assertThat(table).contains("data plane ready after 900 ms; resident 100 MB idle, 1500 MB after load");
    }

    @Test
    void theJsonHasEveryRound() throws Exception {
        JsonNode json = new ObjectMapper().valueToTree(report());

        assertThat(json.at("/series/0/rounds")).hasSize(3);
        assertThat(json.at("/series/0/rounds/1/latency/p99Millis").asDouble()).isEqualTo(20);
    }

    @Test
    void refusesBlocksThatAreTooSmall() {
        assertThatThrownBy(() -> options(512, List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--block-bytes: must be 65536 to 2097152, not 512");
    }

    @Test
    void refusesZeroClients() {
        assertThatThrownBy(() -> options(1 << 20, List.of(1, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--clients: must be 1 to 1000, not 0");
    }

    private static MainJobOptions options(int blockBytes, List<Integer> clients) {
        Duration second = Duration.ofSeconds(1);
        return new MainJobOptions(List.of(StorageKind.FILESYSTEM), "", blockBytes, clients, second, second, 1, true);
    }

    private static MainJobReport report() {
        MainJobReport.ServerFigures server =
                new MainJobReport.ServerFigures("filesystem", 900, 100_000_000, 1_500_000_000, 1e9);
        return new MainJobReport("Linux", 2, "25", 1_200_000, 2, 5, 8, List.of(server), List.of(series(1, 4, 2)));
    }

    private static OperationSeries series(double... seconds) {
        return new OperationSeries(
                "filesystem",
                "lookup",
                MainJobOperation.ResultUnit.OPERATIONS,
                4,
                Arrays.stream(seconds)
                        .mapToObj(OperationSeriesTest::measurement)
                        .toList());
    }

    private static OperationMeasurement measurement(double seconds) {
        return new OperationMeasurement(
                200, 400, 480_000_000, seconds, LATENCY, NONE, 0.001, 0.002, Map.of("exists", 200.0, "get", 100.0));
    }
}
