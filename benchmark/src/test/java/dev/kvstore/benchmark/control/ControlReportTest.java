package dev.kvstore.benchmark.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds that a run has to hold. */
class ControlReportTest {
    private static final Latencies.Percentiles FAST = percentiles(1);

    @Test
    void holdsIfEveryBoundWasHeld() {
        ControlReport report = new ControlReport(
                null, List.of(listing(1.4)), resolve(1.9, 0, 10, 0), watch(999, 0), outage(0, 100, 4_999, 4_999));

        assertThat(report.failures()).isEmpty();
        assertThat(report.text()).startsWith("Every bound was held.");
    }

    @Test
    void namesThePagesThatAreSlowerAtTheEnd() {
        ControlReport report = new ControlReport(null, List.of(listing(1), listing(1.6)), null, null, null);

        assertThat(report.failures())
                .containsExactly("pages of all (limit 100) take 1.60 times as long at the end as at the beginning");
        assertThat(report.text()).contains("FAILED: pages of all");
    }

    @Test
    void thePageHasASectionForEachPartThatWasMeasured() {
        ControlReport report =
                new ControlReport(null, List.of(listing(1)), resolve(1, 0, 61, 1), watch(10, 0), outage(0, 100, 1, 1));

        assertThat(report.page("kv bench control").sections())
                .extracting(ReportPage.Section::heading)
                .containsExactly("Pages of lists", "Resolving keys", "Watching", "The control plane killed");
        assertThat(new ControlReport(null, null, null, watch(10, 0), null)
                        .page("kv bench control")
                        .sections())
                .extracting(ReportPage.Section::heading)
                .containsExactly("Watching");
    }

    @ParameterizedTest
    @CsvSource({
        "2.0, 0, 10, 0, resolve takes",
        "1.0, 3, 10, 0, 3 resolves were answered wrongly",
        "1.0, 0, 10, 1, a data plane asked 1 times",
        "1.0, 0, 119, 2, a data plane asked 2 times",
    })
    void namesWhatIsWrongWithResolves(double p99, long wrong, double seconds, long questions, String breach) {
        ControlReport report = new ControlReport(null, null, resolve(p99, wrong, seconds, questions), null, null);

        assertThat(report.failures()).singleElement().asString().startsWith(breach);
    }

    @Test
    void allowsOneRefreshAMinute() {
        ControlReport report = new ControlReport(null, null, resolve(1, 0, 61, 1), null, null);

        assertThat(report.failures()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 0, the last watcher heard of a change after 1000 ms",
        "10, 2, 'changes were not heard of within 10 s, 2 of them'",
    })
    void namesWhatWatchersDidNotHearInTime(double slowest, long unheard, String breach) {
        ControlReport report = new ControlReport(null, null, null, watch(slowest, unheard), null);

        assertThat(report.failures()).singleElement().asString().startsWith(breach);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 100, 10, 10, 1 requests failed",
        "0, 0, 10, 10, nothing was asked while the control plane was gone",
        "0, 100, 5000, 10, a new key was not taken for 5000 ms",
        "0, 100, 10, 5000, a revoked key was taken for 5000 ms",
    })
    void namesWhatAnOutageBroke(long failed, long whileGone, double newKey, double revoked, String breach) {
        ControlReport report = new ControlReport(null, null, null, null, outage(failed, whileGone, newKey, revoked));

        assertThat(report.failures()).containsExactly(breach);
    }

    @Test
    void hasItsBreachesInTheJson() {
        ControlReport report = new ControlReport(null, null, null, null, outage(1, 100, 10, 10));

        JsonNode json = new ObjectMapper().valueToTree(report);

        assertThat(json.at("/breaches/0").asText()).isEqualTo("1 requests failed");
        assertThat(json.at("/outage/requestsWhileGone").asLong()).isEqualTo(100);
        assertThat(json.get("pages").isNull()).isTrue();
    }

    private static Latencies.Percentiles percentiles(double p99) {
        return new Latencies.Percentiles(100, 0.5, 0.7, p99, p99);
    }

    private static ListTimes listing(double flatness) {
        ListTimes.Slice slice = new ListTimes.Slice(1, 2);
        return new ListTimes("all", 100, 1_000, 10, 3, slice, slice, slice, flatness);
    }

    private static ControlReport.ResolveFigures resolve(double p99, long wrong, double seconds, long questions) {
        ControlReport.ResolveRound alone = new ControlReport.ResolveRound(
                1, 0, 1_000, FAST, Map.of("own", FAST), new ServerTimes(0.5, 0.5, p99), FAST, wrong);
        ControlReport.ResolveRound busy = new ControlReport.ResolveRound(
                8, 0, 4_000, percentiles(20), Map.of(), new ServerTimes(2, 2, 20), null, 0);
        return new ControlReport.ResolveFigures(
                List.of(alone, busy), new ControlReport.CachedLookups(10_000, seconds, questions));
    }

    private static ControlReport.WatchFigures watch(double slowest, long unheard) {
        return new ControlReport.WatchFigures(200, 4, 50, FAST, FAST, percentiles(slowest), unheard);
    }

    private static ControlReport.OutageFigures outage(long failed, long whileGone, double newKey, double revoked) {
        return new ControlReport.OutageFigures(
                120,
                5_000,
                300,
                1_000,
                whileGone,
                failed,
                List.of(),
                40,
                Map.of("read", FAST),
                Map.of(),
                newKey,
                revoked);
    }
}
