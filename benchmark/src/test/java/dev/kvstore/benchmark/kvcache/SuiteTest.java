package dev.kvstore.benchmark.kvcache;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.averagingLong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.kvstore.benchmark.kvcache.Suite.SuiteRun;
import dev.kvstore.benchmark.kvcache.config.ConfigFile;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs of each suite. */
class SuiteTest {
    private static List<SuiteRun> runs(Suite suite, double memoryGib) {
        return suite.runs(false, new SuiteMachine(memoryGib, "", 16), suite.usualTrials(), List.of());
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
        assertThat(named(runs, "gpu").tiers()).isEqualTo("gpu-sim,null");
        assertThat(named(runs, "gpu").flags()).contains("--gpu-mem-gb=16.0");
        assertThat(named(runs, "gpu+cpu").flags()).contains("--gpu-mem-gb=8.0", "--cpu-mem-gb=8.0");
        assertThat(named(runs, "gpu+cpu+disk").flags()).contains("--gpu-mem-gb=4.0", "--cpu-mem-gb=4.0");
        assertThat(named(runs, "disk").tiers()).isEqualTo("disk");
    }

    /** Its table of trials: 147,492 tokens and 7.6 GB written in 549 requests of 131,072 bytes a token. */
    @Test
    void seed002AsksForAsManyTokensAsTheValidation(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, named(runs(Suite.SEED_002, 64), "gpu").config());
        WorkloadConfig config = ConfigFile.read(file, true).config();
        Workload workload = new Workload(
                User.population(5_000, config, new MersenneTwister(42)),
                config,
                new Workload.WorkloadRules(true, true, true, ArrivalProcess.USERS, 0, 0, null, 42));

        List<UserRequest> requests = Stream.generate(() -> requireNonNull(workload.next()))
                .limit(20_000)
                .toList();

        assertThat(requests.stream().collect(averagingLong(UserRequest::contextTokens)))
                .isCloseTo(113, withinPercentage(3));
        assertThat(requests.stream().collect(averagingLong(UserRequest::generationTokens)))
                .isCloseTo(269, withinPercentage(3));
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
    void onlyRunsThatAreWantedAreRun() {
        assertThat(Suite.WRAPPER.runs(false, new SuiteMachine(64, "", 16), 1, List.of("autoscale", "production")))
                .extracting(SuiteRun::name)
                .containsExactly("production", "autoscale");
    }

    @Test
    void theSimulatedGpuHasTheMemoryOfTheMachinesGpu() {
        SuiteMachine machine = SuiteMachine.of(64, "NVIDIA H100 NVL, 95830\nNVIDIA H100 NVL, 95830\n");

        assertThat(machine.gpu()).isEqualTo("NVIDIA H100 NVL");
        assertThat(Suite.WRAPPER
                        .runs(false, machine, 1, List.of("gpu-only"))
                        .getFirst()
                        .flags())
                .contains("--gpu-mem-gb=93.58");
    }

    @Test
    void withoutAGpuTheSimulatedOneHasTheOriginalsUsualMemory() {
        assertThat(SuiteMachine.of(64, "NVIDIA-SMI has failed\n")).isEqualTo(new SuiteMachine(64, "", 16));
    }

    @Test
    void allRunsOfASuiteHaveFilesOfTheirOwn() {
        for (Suite suite : Suite.values()) {
            assertThat(runs(suite, 64).stream().map(SuiteRun::file)).doesNotHaveDuplicates();
        }
    }
}
