package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceFile;
import dev.kvstore.benchmark.trace.TraceOptions;
import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The figures that are known of the shared trace, in the README beside it. */
@Tag("slow")
final class SharedTraceTest {
    @Test
    void theSimulatorFindsWhatOthersHaveFound() throws Exception {
        Path file = Home.current().path().resolve(TraceOptions.SHARED).normalize();
        assumeTrue(Files.exists(file), "missing: " + file + ", the shared trace");
        Trace trace = new TraceFile(file, false);
        Survey survey = Survey.of(trace, Long.MAX_VALUE);

        SimulationReport report = new Simulation(trace, survey, List.of(1_000, 5_000, 10_000, 30_000))
                .run(new BenchProgress(_ -> {}, Clock.systemUTC()));

        assertThat(survey.requests()).isEqualTo(12_031);
        assertThat(survey.blocks()).isEqualTo(288_500);
        assertThat(report.distinctBlocks()).isEqualTo(182_790);
        assertThat(report.unlimitedHitRatio()).isCloseTo(.3664, within(.0005));
        same(report.capacities().get(0), .0445, .0506, .0556, .1907);
        same(report.capacities().get(1), .1104, .1083, .1382, .3412);
        same(report.capacities().get(2), .2112, .1422, .1952, .3664);
        same(report.capacities().get(3), .3257, .2048, .3039, .3664);
        // The policy of data planes must find at least this much.
        assertThat(report.capacities().get(0).hitRatio()).isGreaterThan(.08);
        assertThat(report.capacities().get(1).hitRatio()).isGreaterThan(.165);
        assertThat(report.capacities().get(2).hitRatio()).isGreaterThan(.23);
        assertThat(report.capacities().get(3).hitRatio()).isGreaterThan(.333);
    }

    private static void same(
            SimulationReport.HitCapacity found, double lru, double wTinyLfu, double s3Fifo, double clairvoyant) {
        assertThat(found.lruHitRatio()).isCloseTo(lru, within(.0005));
        assertThat(found.policies().get(2).hitRatio()).isCloseTo(wTinyLfu, within(.005)); // it draws lots
        assertThat(found.policies().get(3).hitRatio()).isCloseTo(s3Fifo, within(.0005));
        assertThat(found.clairvoyantHitRatio()).isCloseTo(clairvoyant, within(.0005));
    }
}
