package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The summary as mlcommons' harness reckons it. */
class MlperfSummaryTest {
    private final List<ReportedRun> runs = new ArrayList<>();

    private void add(int trial, double read, double p95, int entries) throws IOException {
        JsonNode of = new ObjectMapper().readTree("""
                {"storage_throughput_tokens_per_sec": %s, "avg_throughput_tokens_per_sec": 5, "cache_stats": {
                  "tier_storage_read_bandwidth_gbps": %s, "tier_storage_write_bandwidth_gbps": 1,
                  "storage_read_device_p95_ms": %s, "storage_write_device_p95_ms": 3, "storage_entries": %d}}
                """.formatted(10 * read, read, p95, entries));
        runs.add(new ReportedRun("1", trial, "file-" + trial + "-" + read, of, List.of()));
    }

    private JsonNode option() {
        return MlperfSummary.of(runs, 2, 2, "20261126_120000").at("/options/1");
    }

    @Test
    void bandwidthsAreSummedOverRanksAndTheMeanOfTrials() throws IOException {
        add(1, 1, 10, 5);
        add(1, 2, 10, 5);
        add(2, 4, 10, 5);
        add(2, 5, 10, 5);

        assertThat(option().path("aggregated_read_bandwidth_gbps").asDouble()).isEqualTo(6);
        assertThat(option().path("aggregated_write_bandwidth_gbps").asDouble()).isEqualTo(2);
        assertThat(option().path("aggregated_storage_throughput_tokens_per_sec").asDouble())
                .isEqualTo(60);
    }

    @Test
    void ofPercentilesTheLargestIsTaken() throws IOException {
        add(1, 1, 10, 5);
        add(1, 1, 70, 5);
        add(2, 1, 30, 5);
        add(2, 1, 20, 5);

        assertThat(option().path("aggregated_device_read_p95_ms").asDouble()).isEqualTo(70);
    }

    @Test
    void aRankWithoutResultsIsNamed() throws IOException {
        add(1, 1, 10, 5);
        add(1, 1, 10, 5);
        add(2, 1, 10, 5);

        assertThat(option().path("partial_failure").asBoolean()).isTrue();
        assertThat(option().at("/missing_files/0").asText()).isEqualTo("option_1/trial_2/rank_1");
        assertThat(MlperfSummary.of(runs, 2, 2, "").path("partial_failure").asBoolean())
                .isTrue();
    }

    @Test
    void ranksThatWereServedFromMemoryAreNamed() throws IOException {
        add(1, 1, 10, 0);
        add(1, 2, 10, 5);

        assertThat(option().path("cpu_tier_ranks")).hasSize(1);
        assertThat(option().at("/cpu_tier_ranks/0").asText()).isEqualTo("file-1-1.0");
    }
}
