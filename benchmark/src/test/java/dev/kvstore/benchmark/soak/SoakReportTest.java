package dev.kvstore.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.soak.SoakCounts.SoakCount;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a run has proved that nothing is denied, held, or left alone. */
class SoakReportTest {
    @Test
    void holdsIfMuchWasTriedAndNothingWentWrong() {
        SoakReport report = report(SoakCount.REFUSED, 3, rest(0, 0));

        assertThat(report.holds()).isTrue();
        assertThat(report.text()).containsPattern("nobody\\swas\\sleft\\salone\\swithout\\scause\\.");
    }

    @ParameterizedTest
    @EnumSource
    void failsForAFaultAndForNoTrial(SoakCount count) {
        SoakReport report = report(count, count.isTrial() ? 0 : 1, rest(0, 0));

        assertThat(report.holds()).isEqualTo(!count.isFault() && !count.isTrial());
        assertThat(report.text().contains("FAILED")).isEqualTo(!report.holds());
    }

    @Test
    void saysWhoHoldsWhatAfterWhichRound() {
        SoakReport report = report(SoakCount.HELD, 1, rest(7, 4_096));

        assertThat(rest(7, 0).isClear()).isFalse();
        assertThat(rest(0, 1).isClear()).isFalse();
        assertThat(report.text())
                .containsPattern("3 +data-plane-1 +7 +0 +0 +4,096 +1 +50\n")
                .contains("something was denied\n")
                .contains("FAILED: rounds after which something was held: 1\n");
    }

    @Test
    void thePageHasNothingButZeroesWhereItMust() {
        ReportPage page = report(SoakCount.REFUSED, 3, rest(0, 0)).page("kv bench soak");

        assertThat(page.sections().getFirst().figures())
                .singleElement()
                .isInstanceOfSatisfying(
                        Figure.Table.class,
                        table -> assertThat(table.rows())
                                .extracting(List::getLast)
                                .containsOnly("0"));
    }

    @Test
    void tooMuchAtATimeIsNoFailure() {
        SoakCounts counts = new SoakCounts();

        counts.failed("reads", new KvStoreException(ErrorCode.RESOURCE_EXHAUSTED, "too much"));
        counts.failed("reads", new KvStoreException(ErrorCode.INTERNAL, "broken"));
        counts.hung("writes");

        assertThat(counts.counts()).containsEntry(SoakCount.REFUSED, 1L).containsEntry(SoakCount.FAILED, 2L);
        assertThat(counts.messages()).hasSize(2);
    }

    private static Rest rest(long byClients, long transferBytes) {
        return new Rest(3, byClients, List.of(new Rest.RestServer("data-plane-1", 0, 0, transferBytes, 50, 1_000_000)));
    }

    private static SoakReport report(SoakCount count, long found, Rest rest) {
        Map<SoakCount, Long> counts = new EnumMap<>(SoakCount.class);
        for (SoakCount other : SoakCount.values()) {
            counts.put(other, other.isFault() ? 0L : 40L);
        }
        counts.put(count, found);
        return new SoakReport(
                3_600, Map.of("reads", 500L), counts, 2_500, List.of(rest), List.of("something was denied"));
    }
}
