package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --ranks}: several clients of a submission side by side. */
@Tag("slow")
class RanksTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private void run() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = KvCacheCommand.line(new KvCacheCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        "--suite=mlperf",
                        "--quick",
                        "--ranks=2",
                        "--tiers=null",
                        "--cache-dir=" + folder.resolve("cache"),
                        "--results-dir=" + folder.resolve("results"));
        assertThat(exitCode).as(out + err.toString()).isZero();
    }

    private List<Path> files(String glob) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("results"))) {
            return all.filter(file -> file.toString().matches(".*" + glob))
                    .sorted()
                    .toList();
        }
    }

    private static JsonNode json(Path file) {
        try {
            return new ObjectMapper().readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachRankHasASeedAndAFileOfItsOwnAndTheSummaryHasThemAll() throws IOException {
        run();

        assertThat(files("option_1/trial_1/rank_0/kvcache_results_.*json")).hasSize(1);
        assertThat(files("option_1/trial_1/rank_1/kvcache_results_.*json")).hasSize(1);
        List<Path> results = files("kvcache_results_.*json");
        assertThat(results).hasSize(6);
        assertThat(results.stream().map(file -> json(file).path("seed").asInt()))
                .containsExactly(42, 43, 42, 43, 42, 43);
        JsonNode summary = json(files("kvcache_run_summary_.*json").getFirst());
        assertThat(summary.path("total_ranks").asInt()).isEqualTo(2);
        assertThat(summary.at("/options/1/rank_count").asInt()).isEqualTo(2);
        assertThat(summary.path("partial_failure").asBoolean()).isFalse();
        assertThat(summary.at("/options/1/aggregated_read_bandwidth_gbps").asDouble())
                .isEqualTo(results.stream()
                        .limit(2)
                        .mapToDouble(file -> json(file)
                                .at("/summary/cache_stats/tier_storage_read_bandwidth_gbps")
                                .asDouble())
                        .sum());
    }
}
