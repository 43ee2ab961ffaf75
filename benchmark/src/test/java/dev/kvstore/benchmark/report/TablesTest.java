package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.report.Figure.Axis;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Tables}. */
class TablesTest {
    private static final Axis CLIENTS = new Axis("clients", "", false);
    private static final Axis LATENCY = new Axis("p99", "ms", true);

    @Test
    void linesMeasuredAtTheSamePlacesHaveAColumnEach() {
        Figure.Table table = Tables.of(new Figure.Lines(
                "Latency",
                CLIENTS,
                LATENCY,
                List.of(
                        new FigureLine("read", List.of(new FigurePoint(1, 2, 1, 3), FigurePoint.of(10, 5))),
                        new FigureLine("write", List.of(FigurePoint.of(10, 7))))));

        assertThat(table)
                .isEqualTo(new Figure.Table(
                        "Latency: p99 (ms)",
                        List.of("clients", "read", "write"),
                        List.of(List.of("1", "2 (1\u20133)", ""), List.of("10", "5", "7"))));
    }

    @Test
    void linesMeasuredAtPlacesOfTheirOwnHaveARowForEachPoint() {
        Figure.Table table = Tables.of(new Figure.Lines(
                "Trade-off",
                new Axis("rate", "MB/s", false),
                LATENCY,
                List.of(
                        new FigureLine("read", List.of(new FigurePoint(100, 2, 2, 2, "1 client"))),
                        new FigureLine("write", List.of(new FigurePoint(90, 3, 3, 3, "1 client"))))));

        assertThat(table)
                .isEqualTo(new Figure.Table(
                        "Trade-off",
                        List.of("", "", "rate (MB/s)", "p99 (ms)"),
                        List.of(List.of("read", "1 client", "100", "2"), List.of("write", "1 client", "90", "3"))));
    }

    @Test
    void aLineThatIsTwiceAtOnePlaceLosesNothing() {
        Figure.Table table = Tables.of(new Figure.Lines(
                "Twice",
                CLIENTS,
                LATENCY,
                List.of(new FigureLine("read", List.of(FigurePoint.of(1, 2), FigurePoint.of(1, 3))))));

        assertThat(table.rows()).containsExactly(List.of("read", "1", "2"), List.of("read", "1", "3"));
    }

    @Test
    void barsInGroupsHaveARowForEachGroup() {
        Figure.Table table = Tables.of(new Figure.Bars(
                "Peers",
                "MB/s",
                List.of(
                        new Bar("512 B", "Redis", 10, 9, 11),
                        new Bar("512 B", "nginx", 12, 12, 12),
                        new Bar("1.2 MB", "Redis", 900, 900, 900))));

        assertThat(table)
                .isEqualTo(new Figure.Table(
                        "Peers (MB/s)",
                        List.of("", "Redis", "nginx"),
                        List.of(List.of("512 B", "10 (9\u201311)", "12"), List.of("1.2 MB", "900", ""))));
    }

    @Test
    void barsOfOneGroupHaveARowEach() {
        Figure.Table table = Tables.of(new Figure.Bars(
                "Memory", "bytes", List.of(new Bar("", "heap", 10, 10, 10), new Bar("", "off", 7, 7, 7))));

        assertThat(table.columns()).containsExactly("", "bytes");
        assertThat(table.rows()).containsExactly(List.of("heap", "10"), List.of("off", "7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "1,197 /s",
                "0.61 ms",
                "292 + 414 us",
                "910 (880\u2013940)",
                "910.5 (880 - 940)",
                "< 0.1 %",
                "-3",
                "1.000e+18",
                "35 of 60",
                "2.5 s/GB",
                ".3664"
            })
    void numbersAreToldFromText(String cell) {
        assertThat(Tables.isNumeric(table(cell, "", "-", Numbers.NONE), 0)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "read",
                "4 clients, both endpoints",
                "2026-11-22T07:00:00Z and later",
                "KV Store 0.1",
                "10.0.0.1 is a host"
            })
    void textIsToldFromNumbers(String cell) {
        assertThat(Tables.isNumeric(table("7", cell), 0)).isFalse();
    }

    @Test
    void aColumnOfNothingHasNoNumbers() {
        assertThat(Tables.isNumeric(table("", "-"), 0)).isFalse();
    }

    private static Figure.Table table(String... cells) {
        return new Figure.Table(
                "", List.of("column"), List.of(cells).stream().map(List::of).toList());
    }
}
