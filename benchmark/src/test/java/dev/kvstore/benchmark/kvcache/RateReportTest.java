package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.Suite.SuiteRun;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The knee. */
class RateReportTest {
    private static ReportedRun run(double rate, long withinTarget) {
        ObjectNode summary = JsonNodeFactory.instance.objectNode();
        summary.putObject("kvstore")
                .putObject("requests")
                .putObject("batch")
                .put("offered", 100)
                .put("within_target", withinTarget);
        return new ReportedRun(Double.toString(rate), 1, "file", summary, List.of());
    }

    private static double knee(ReportedRun... runs) {
        return RateReport.of(runs.length, List.of(runs)).knee();
    }

    @Test
    void isTheHighestRateUpToWhichEnoughIsAnsweredInTime() {
        assertThat(knee(run(1, 100), run(2, 95), run(4, 94), run(8, 10))).isEqualTo(2);
    }

    /** At a higher rate luck may help. */
    @Test
    void doesNotComeBackAfterARateThatWasTooMuch() {
        assertThat(knee(run(1, 100), run(2, 50), run(4, 100))).isEqualTo(1);
    }

    @Test
    void isZeroIfTheLowestRateIsTooMuch() {
        assertThat(knee(run(1, 0))).isZero();
    }

    @Test
    void eachRateIsARunOfItsOwn() {
        assertThat(RateReport.runs(List.of(0.5, 10.0), ArrivalProcess.POISSON).stream()
                        .map(SuiteRun::flags))
                .containsExactly(
                        List.of("--arrival=poisson", "--request-rate=0.5"),
                        List.of("--arrival=poisson", "--request-rate=10"));
    }
}
