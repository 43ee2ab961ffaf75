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

    @Option(names = "--suite", paramLabel = "NAME")
    @Nullable
    Suite suite;

    @Option(names = "--quick")
    boolean quick;

    @Option(names = "--trials", paramLabel = "N")
    int trials = 0;

    @Option(names = "--pause", paramLabel = "S")
    int pause = -1;

    @Option(names = "--ranks", paramLabel = "N")
    int ranks = 1;

    @Option(names = "--results-dir", paramLabel = "FOLDER")
    @Nullable
    Path results;

    @Option(names = "--rates", paramLabel = "N,N", split = ",")
    List<Double> rates = List.of();

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check() {
        FlagCheck.range("--trials", trials, 0, 100);
        FlagCheck.range("--ranks", ranks, 1, 64);
        FlagCheck.refuseIf(
                ranks > 1 && suite != Suite.MLPERF,
                "--ranks: only the suite mlperf has clients side by side; leave it out");
        double before = 0;
        for (double rate : rates) {
            boolean rises = rate > before && rate <= 1_000_000;
            FlagCheck.refuseIf(!rises, "--rates: must rise, from above 0 to 1000000, not " + rates);
            before = rate;
        }
        FlagCheck.exclude("--rates", !rates.isEmpty() && suite != null, "--suite");
        FlagCheck.range("--pause", pause, -1, 3_600);
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
