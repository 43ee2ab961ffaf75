package dev.kvstore.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds that a run has to hold. */
class FleetReportTest {
    private static FleetReport report(
            double p99, long lost, long out, double outSeconds, long deleted, long othersLost) {
        Latencies.Percentiles latency = new Latencies.Percentiles(1, 1, 1, p99, p99);
        return new FleetReport(
                100,
                2,
                new FleetReport.Joins(1, 100, latency),
                new FleetReport.Beats(60, 20, latency, 0, lost, 20, 0.1, 0.1, 0.1),
                new FleetReport.ControlPlanePause(30, 100, 0, 0, out, 1, 5),
                new FleetReport.Loss(
                        50, 20, outSeconds, List.of(new FleetReport.DeletionPass(35, 50, deleted)), othersLost));
    }

    @Test
    void holdsIfEveryBoundWasHeld() {
        FleetReport report = report(49.9, 0, 0, 16, 7, 0);

        assertThat(report.failures()).isEmpty();
        assertThat(report.text()).doesNotContain("FAILED");
    }

    @ParameterizedTest
    @CsvSource({
        "50, 0, 0, 16, 7, 0, 'a heartbeat takes 50.0 ms (p99), not less than 50 ms'",
        "1, 2, 0, 16, 7, 0, 0 heartbeats failed and 2 leases were lost",
        "1, 0, 3, 16, 7, 0, 'after the freeze 3 processes were out of the fleet, 0 evicted, and 0 leases lost'",
        "1, 0, 0, 20, 7, 0, the silent ones were in the fleet for 20.0 s",
        "1, 0, 0, 16, 8, 0, 'a pass deleted 8 of 50 rows, more than 7'",
        "1, 0, 0, 16, 7, 1, 1 of the others lost their leases",
    })
    void namesWhatIsWrong(
            double p99, long lost, long out, double outSeconds, long deleted, long othersLost, String breach) {
        FleetReport report = report(p99, lost, out, outSeconds, deleted, othersLost);

        assertThat(report.failures()).containsExactly(breach);
        assertThat(report.text()).contains("FAILED: " + breach);
    }
}
