package dev.kvstore.benchmark.kvcache.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The runs of each suite. */
class SuiteTest {
    private static List<SuiteRun> runs(Suite suite, double memoryGib) {
        return suite.runs(new SuiteSize(false, memoryGib, suite.usualTrials()));
    }

    private static SuiteRun named(List<SuiteRun> runs, String name) {
        return runs.stream().filter(run -> run.name().equals(name)).findFirst().orElseThrow();
    }

    /** Rules 6.3 to 6.6 of MLPerf Storage v3.0. */
    @Test
    void mlperfHasTheThreeOptionsOfASubmission() {
        List<SuiteRun> runs = runs(Suite.MLPERF, 64);

        assertThat(named(runs, "1").flags())
                .contains("--model=llama3.1-8b", "--num-users=200", "--cpu-mem-gb=0.0", "--max-concurrent-allocs=16");
        assertThat(named(runs, "2").flags())
                .contains("--model=llama3.1-8b", "--num-users=100", "--cpu-mem-gb=4.0", "--max-concurrent-allocs=16");
        assertThat(named(runs, "3").flags())
                .contains(
                        "--model=llama3.1-70b-instruct",
                        "--num-users=70",
                        "--cpu-mem-gb=0.0",
                        "--max-concurrent-allocs=4");
        assertThat(runs)
                .allSatisfy(run -> assertThat(run.flags()).contains("--duration=300", "--generation-mode=none"));
    }

    @Test
    void mlperfHasThreeTrialsOfEachOptionWithPausesAndAFolderForEachRank() {
        assertThat(Suite.MLPERF.usualPauseSeconds()).isEqualTo(90);
        assertThat(runs(Suite.MLPERF, 64).stream().map(SuiteRun::file).limit(4))
                .containsExactly(
                        "option_1/trial_1/rank_0/kvcache_results.json",
                        "option_1/trial_2/rank_0/kvcache_results.json",
                        "option_1/trial_3/rank_0/kvcache_results.json",
                        "option_2/trial_1/rank_0/kvcache_results.json");
    }

    @Test
    void seed002SharesTheMemoryInFourWays() {
        List<SuiteRun> runs = runs(Suite.SEED_002, 64);

        assertThat(runs).hasSize(12);
        assertThat(named(runs, "gpu").tiers()).containsExactly("gpu-sim", "null");
        assertThat(named(runs, "gpu").flags()).contains("--gpu-mem-gb=16.0");
        assertThat(named(runs, "gpu+cpu").flags()).contains("--gpu-mem-gb=8.0", "--cpu-mem-gb=8.0");
        assertThat(named(runs, "gpu+cpu+disk").flags()).contains("--gpu-mem-gb=4.0", "--cpu-mem-gb=4.0");
        assertThat(named(runs, "disk").tiers()).containsExactly("disk");
    }

    @Test
    void wrapperSizesUsersAndMemoryByTheMachine() {
        List<SuiteRun> large = runs(Suite.WRAPPER, 64);
        List<SuiteRun> small = runs(Suite.WRAPPER, 3);

        assertThat(named(large, "cpu-only").flags()).contains("--num-users=50", "--cpu-mem-gb=32.00");
        assertThat(named(large, "cpu-storage").flags()).contains("--num-users=300", "--cpu-mem-gb=8.00");
        assertThat(named(small, "cpu-storage").flags()).contains("--num-users=50");
    }

    @Test
    void allRunsOfASuiteHaveFilesOfTheirOwn() {
        for (Suite suite : Suite.values()) {
            assertThat(runs(suite, 64).stream().map(SuiteRun::file)).doesNotHaveDuplicates();
        }
    }
}
