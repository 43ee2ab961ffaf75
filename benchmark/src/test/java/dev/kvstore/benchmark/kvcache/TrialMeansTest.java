package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import dev.kvstore.benchmark.kvcache.device.FioBandwidth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The trials of the original's published validation: 500 requests each, one of which did not get there. */
class TrialMeansTest {
    private final List<ReportedRun> runs = new ArrayList<>();

    TrialMeansTest() {
        add("disk", 500, 266);
        add("disk", 500, 261);
        add("disk", 500, 262);
        add("gpu", 500, 1_692);
        add("gpu", 500, 1_501);
        add("gpu", 500, 1_879);
        add("gpu+cpu+disk", 438, 1_426);
        add("gpu+cpu+disk", 500, 1_004);
        add("gpu+cpu+disk", 500, 1_096);
    }

    private void add(String name, long answered, double tokensPerSecond) {
        ObjectNode summary = JsonNodeFactory.instance.objectNode();
        summary.put("total_requests", answered).put("storage_throughput_tokens_per_sec", tokensPerSecond);
        ObjectNode own = summary.putObject("kvstore").put("max_requests", 500);
        own.putArray("tiers").add(name.endsWith("disk") ? "disk" : "null");
        own.putArray("services").add("ext4 on disk nvme0n1, 1.0 of 2.0 GiB free");
        own.putObject("accesses").put("count", 5_900).put("seconds", 59.0);
        summary.putObject("cache_stats")
                .put("tier_storage_read_bandwidth_gbps", 0.5)
                .put("tier_storage_kv_bytes_read_gb", 90.0)
                .put("tier_storage_kv_bytes_written_gb", 7.5)
                .put("storage_read_p95_ms", 358.2);
        int trial =
                1 + (int) runs.stream().filter(run -> run.name().equals(name)).count();
        runs.add(new ReportedRun(name, trial, "file", summary, List.of()));
    }

    private TrialMeans of(String name, String baseline) {
        return TrialMeans.of(runs, baseline).stream()
                .filter(run -> run.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String text() {
        return new SuiteReport(Suite.SEED_002, false, 9, runs, new FioBandwidth(2, 1), null).text();
    }

    @Test
    void haveTheMeanAndTheStandardDeviationOfTheirTrials() {
        TrialMeans gpu = of("gpu", "disk");

        assertThat(gpu.mean(TrialMeans.TOKENS)).isCloseTo(1_691, within(0.5));
        assertThat(gpu.deviation()).isCloseTo(154, within(0.5));
    }

    @Test
    void areRankedBesideTheDisk() {
        assertThat(TrialMeans.of(runs, "disk"))
                .extracting(TrialMeans::name)
                .containsExactly("gpu", "gpu+cpu+disk", "disk");
        assertThat(of("gpu", "disk").speedUp()).isCloseTo(6.4, within(0.05));
        assertThat(of("gpu", "disk").rank()).isEqualTo(1);
        assertThat(of("disk", "disk").speedUp()).isEqualTo(1);
    }

    @Test
    void areNotRankedWithoutABaseline() {
        assertThat(of("gpu", "").rank()).isZero();
        assertThat(of("gpu", "").speedUp()).isNaN();
    }

    @Test
    void leaveIncompleteTrialsOut() {
        assertThat(of("gpu+cpu+disk", "disk").complete()).hasSize(2);
        assertThat(of("gpu+cpu+disk", "disk").mean(TrialMeans.TOKENS)).isEqualTo(1_050);
    }

    @Test
    void thePageMarksAndNamesIncompleteTrials() {
        assertThat(text())
                .containsPattern("since requests are missing: gpu\\+cpu\\+disk, trial 1 \\(438 of\\s+500\\)\\.")
                .containsPattern("gpu\\+cpu\\+disk +1 +438 of 500 ")
                .containsPattern("gpu\\+cpu\\+disk +2 of 3 ");
    }

    @Test
    void thePageHasBytesPercentilesAccessesAndTheShareOfFiosBandwidth() {
        assertThat(text())
                .containsPattern("disk +.* 90 +7\\.5 +12\\b")
                .containsPattern("disk +.* 358\\.2 ")
                .containsPattern("disk +5,900 +59 +10 ")
                .containsPattern("disk +0\\.5 +25 ");
    }

    @Test
    void onlyRunsOverADiskHaveAShareOfItsBandwidth() {
        assertThat(text().substring(text().indexOf("against fio")))
                .contains("disk ")
                .doesNotContain("gpu ");
    }

    @Test
    void thePageNamesTheDisk() {
        assertThat(text()).containsOnlyOnce("Below the last tier: ext4 on disk nvme0n1");
    }

    @Test
    void aRunWithoutACompleteTrialHasNoMean() {
        runs.removeIf(run -> run.name().equals("gpu"));
        add("gpu", 18, 100);

        assertThat(of("gpu", "disk").rank()).isZero();
        assertThat(text()).containsPattern("gpu +0 of 1 ");
    }
}
