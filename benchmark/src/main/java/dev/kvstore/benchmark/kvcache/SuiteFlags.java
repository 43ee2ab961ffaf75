package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.launcher.WritablePath;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of suites. */
final class SuiteFlags {
    /** Flags that only a suite has; a run of it does not. */
    static final List<String> OWN = List.of("--suite", "--quick", "--trials", "--pause", "--ranks");

    /** Flags that each run of any suite has a value of its own for. */
    static final List<String> DECIDED = List.of(
            "--model",
            "--num-users",
            "--duration",
            "--generation-mode",
            "--gpu-mem-gb",
            "--cpu-mem-gb",
            "--max-concurrent-allocs",
            "--max-requests",
            "--output",
            "--xlsx-output");

    @Option(
            names = "--suite",
            paramLabel = "NAME",
            description =
                    "Several runs: smoke (does each part work?), mlperf (three submission options), seed-002 (four ways to"
                            + " share memory among tiers) or wrapper (ten scenarios sized by this machine). A suite decides on models,"
                            + " users, durations and sizes of tiers; one name in --tiers stands in for its disk.")
    @Nullable
    Suite suite;

    @Option(
            names = "--quick",
            description = "Runs of a few seconds and users, to see that a suite works here; its figures say nothing.")
    boolean quick;

    @Option(
            names = "--trials",
            paramLabel = "N",
            defaultValue = "0",
            description = "Of each run of a suite; 0 for 3 of mlperf and seed-002, else 1, and 1 with --quick. Default:"
                    + " ${DEFAULT-VALUE}.")
    int trials;

    @Option(
            names = "--pause",
            paramLabel = "S",
            defaultValue = "-1",
            description = "Seconds between runs of a suite; -1 for 90 of mlperf, else 0, and 0 with --quick. Default:"
                    + " ${DEFAULT-VALUE}.")
    int pause;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Clients of the suite mlperf that run side by side, each with all users, a seed and a folder of its own, 1 to"
                            + " 64. Default: ${DEFAULT-VALUE}.")
    int ranks;

    @Option(
            names = "--results-dir",
            paramLabel = "FOLDER",
            description =
                    "Takes the JSON of each run of a suite, and of mlperf the summary. Default: kv-cache-SUITE_DATE_TIME"
                            + " here.")
    @Nullable
    Path results;

    @Option(
            names = "--rates",
            paramLabel = "N,N",
            split = ",",
            description =
                    "Runs at each of these rates of requests a second, poisson arrivals unless --arrival says otherwise, to find"
                            + " the one up to which 95 %% are answered within their class' target.")
    List<Double> rates = List.of();

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check() {
        WorkloadFlags.range("--trials", trials, 0, 100);
        WorkloadFlags.range("--ranks", ranks, 1, 64);
        if (ranks > 1 && suite != Suite.MLPERF) {
            throw new IllegalArgumentException("--ranks: only the suite mlperf has clients side by side; leave it out");
        }
        for (int i = 0; i < rates.size(); i++) {
            double rate = rates.get(i);
            if (!(rate > (i == 0 ? 0 : rates.get(i - 1)) && rate <= 1_000_000)) {
                throw new IllegalArgumentException("--rates: must rise, from above 0 to 1000000, not " + rates);
            }
        }
        if (!rates.isEmpty() && suite != null) {
            throw new IllegalArgumentException("--rates: excludes --suite; leave one of the two out");
        }
        WorkloadFlags.range("--pause", pause, -1, 3_600);
        if (results != null) {
            WritablePath.requireFolder("--results-dir", results);
        }
    }

    int trials(Suite of) {
        return trials > 0 ? trials : quick ? 1 : of.usualTrials();
    }

    int pauseSeconds(Suite of) {
        return pause >= 0 ? pause : quick ? 0 : of.usualPauseSeconds();
    }
}
