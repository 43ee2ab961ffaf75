package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link TerminalText}. */
class TerminalTextTest {
    private record Reading(String name, long count, Spread rate) {}

    private static final List<Column<Reading>> COLUMNS = List.of(
            Column.of("peer", Reading::name),
            Column.of("blocks", Reading::count),
            Column.of("rate", "GB/s", Reading::rate));

    private static final Figure.Table TABLE = Figure.Table.of(
            "Peers",
            COLUMNS,
            List.of(new Reading("redis", 1_200, Spread.of(2, 1, 3)), new Reading("kv", 7, Spread.of(5.25))));

    private static final Figure.Bars BARS =
            new Figure.Bars("Rates", "GB/s", List.of(Figure.Bar.of("kv", "read", Spread.of(5, 4, 6))));

    private static String text(List<Figure> figures, String... failures) {
        return new ReportPage("Title", "All was read.", List.of(new ReportPage.Section("Peers", "", figures)))
                .text(List.of(failures));
    }

    @Test
    void aTableStandsInColumnsWithNumbersToTheRight() {
        assertThat(text(List.of(TABLE))).isEqualTo("""
                All was read.

                Peers

                Peers
                  peer   blocks  rate (GB/s)
                  redis   1,200      2 (1\u20133)
                  kv          7         5.25

                """);
    }

    @Test
    void aChartIsATableWhereItsSectionHasNone() {
        assertThat(text(List.of(BARS))).contains("5 (4\u20136)");
        assertThat(text(List.of(BARS, TABLE))).doesNotContain("5 (4\u20136)");
    }

    @Test
    void theFactsAboutOneThingStandBelowEachOther() {
        Figure.Table facts = Figure.Table.facts("", COLUMNS, new Reading("kv", 7, Spread.of(5.25)));

        assertThat(text(List.of(facts))).contains("  peer         kv\n  blocks       7\n  rate (GB/s)  5.25\n");
    }

    @Test
    void failuresStandAtTheEnd() {
        assertThat(text(List.of(), "a block was lost")).endsWith("FAILED: a block was lost\n");
    }
}
