package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of a run has what the original's screen has. */
class KvCachePageTest {
    private static final String QOS = """
            "autoscaling_summary": {"initial_users": 20, "final_users": 24, "total_scale_events": 1},
            "autoscaling_stats": [{"action": "ACTION", "users": 24, "saturation_level": 0.5}]""";
    private static final String CAPACITY = """
            "autoscaling_summary": {"initial_users": 20, "final_users": 40, "total_scale_events": 1,
              "peak_user_count": 34, "peak_throughput_tokens_per_sec": 1234.5},
            "autoscaling_stats": [{"action": "ACTION", "users": 40, "saturation_level": 0.5}]""";

    private static String text(String scaling) throws IOException {
        JsonNode results = new ObjectMapper().readTree("""
                {"requests_completed": 18, "throughput_timeline": [], "summary": {
                  SCALING,
                  "total_tokens": 100,
                  "cache_stats": {"storage_tokens_processed": 5000,
                    "storage_entries": 7,
                    "storage_health": {"overall_status": "FAIL", "passed_count": 1, "total_count": 2, "criteria": [
                      {"name": "Storage Tier Read Device P95 < 200ms", "target": 200, "actual": 291.11, "unit": "ms",
                       "passed": false},
                      {"name": "Cache Hit Rate > 30%", "target": 0.3, "actual": 0.97, "unit": "ratio", "passed": true}]}},
                  "prefix_cache_stats": {"prefix_hits": 4, "prefix_misses": 14},
                  "kvstore": {"mode": "honest", "window_seconds": 2.0, "tiers": ["disk"], "max_requests": 100, "accesses": {"count": 60, "seconds": 6.0},
                    "services": ["ext4 on disk nvme0n1, 1.0 of 2.0 GiB free"],
                    "held_gb": {"gpu": 0.0, "cpu": 0.0, "storage": 1.6},
                    "chunks": {"found": 9, "missing": 3}}}}
                """.replace("SCALING", scaling));
        return new KvCachePage(results).page().text(List.of());
    }

    private static String plain() throws IOException {
        return text("\"autoscaling_summary\": null");
    }

    @Test
    void requestsThatAreMissingAreMarked() throws IOException {
        assertThat(plain())
                .startsWith("KV cache over disk, counted honest, 2.0 s: 18 of the 100 wanted requests answered.");
    }

    @Test
    void theDiskIsNamed() throws IOException {
        assertThat(plain()).contains("Below the last tier: ext4 on disk nvme0n1, 1.0 of 2.0 GiB free.");
    }

    @Test
    void storageIsAssessedByEachCriterion() throws IOException {
        assertThat(plain())
                .contains("FAIL, 1 of 2 criteria passed.")
                .containsPattern("Read Device P95 < 200ms +291.1 +200 +ms +failed")
                .containsPattern("Cache Hit Rate > 30% +0.97 +0.3 +ratio +passed");
    }

    @Test
    void tiersHaveTheBytesThatTheyHold() throws IOException {
        assertThat(plain()).containsPattern("storage +7 +1\\.6");
    }

    @Test
    void sharedPromptsAndDocumentsAreCounted() throws IOException {
        assertThat(plain())
                .containsPattern("requests that begin with a shared prompt +4\n")
                .containsPattern("parts of documents found +9\n")
                .containsPattern("parts of documents missing +3\n");
    }

    @Test
    void theTimeOfAnAccessAndTheAmplificationAreTold() throws IOException {
        assertThat(plain())
                .containsPattern("an access takes, on average \\(ms\\) +100\n")
                .containsPattern("tokens that the last tier moves for each token of an answer +50\n");
    }

    @Test
    void withoutAnAutoscalerThereIsNoCapacity() throws IOException {
        assertThat(plain()).doesNotContainIgnoringCase("capacity").doesNotContain("autoscaler");
    }

    @Test
    void theCapacityOfAnAutoscalerIsInTheFirstSentence() throws IOException {
        assertThat(text(QOS.replace("ACTION", "scale_down"))).contains("requests answered. Capacity: 24 users.\n");
        assertThat(text(CAPACITY.replace("ACTION", "stop")))
                .containsPattern("requests answered\\. Peak capacity: 34 users,\\s1234\\.5 tokens/s\\.\n");
    }

    @Test
    void aCapacityThatWasNotReachedIsSaidToBeMore() throws IOException {
        assertThat(text(QOS.replace("ACTION", "scale_up")))
                .containsPattern("Capacity: 24\\s+users\\.\\s+It\\s+may\\s+be\\s+more");
    }
}
