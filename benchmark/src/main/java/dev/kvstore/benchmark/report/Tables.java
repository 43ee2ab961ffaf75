package dev.kvstore.benchmark.report;

import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A chart's figures as a table: for readers who do not see the chart. */
final class Tables {
    // 1,197 /s | 0.61 ms | 292 + 414 us | 910 (880-940) | < 0.1 % | 35 of 60
    private static final String NUMBER =
            "[<>\u2264\u2265~]? ?[-+\u2212]?[\\d,]*\\.?\\d+(e[-+]?\\d+)?( ?[^\\d\\s,;(]{1,10})?";
    private static final Pattern NUMBERS = Pattern.compile(
            NUMBER + "( ?(-|\u2013|\\+|/|of|to|\\() ?" + NUMBER + "\\)?)*", Pattern.UNICODE_CHARACTER_CLASS);

    private Tables() {}

    static Figure.Table of(Figure figure) {
        return switch (figure) {
            case Figure.Table table -> table;
            case Figure.Lines lines -> sharesItsX(lines) ? across(lines) : along(lines);
            case Figure.Bars bars -> bars(bars);
        };
    }

    /** Whether a column's cells are numbers, all that are not empty. */
    static boolean isNumeric(Figure.Table table, int column) {
        List<String> cells = table.rows().stream()
                .map(row -> row.get(column).strip())
                .filter(cell -> !cell.isEmpty() && !cell.equals("-") && !cell.equals(Numbers.NONE))
                .toList();
        return !cells.isEmpty()
                && cells.stream().allMatch(cell -> NUMBERS.matcher(cell).matches());
    }

    /** Lines that are measured at the same places: a column each. */
    private static Figure.Table across(Figure.Lines lines) {
        List<String> columns = Stream.concat(
                        Stream.of(lines.x().text()), lines.lines().stream().map(FigureLine::name))
                .toList();
        List<Map<Double, FigurePoint>> byX = lines.lines().stream()
                .map(line -> line.points().stream().collect(Collectors.toMap(FigurePoint::x, Function.identity())))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        for (double x : byX.stream()
                .flatMap(points -> points.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))) {
            List<String> row = new ArrayList<>(List.of(Numbers.text(x)));
            byX.forEach(points -> {
                FigurePoint point = points.get(x);
                row.add(point == null ? "" : point.text());
            });
            rows.add(row);
        }
        return new Figure.Table(lines.caption() + ": " + lines.y().text(), columns, rows);
    }

    /** Lines that are not: a row for each point. */
    private static Figure.Table along(Figure.Lines lines) {
        boolean labelled = points(lines).anyMatch(point -> !point.label().isEmpty());
        List<String> columns = new ArrayList<>(List.of(""));
        if (labelled) {
            columns.add("");
        }
        columns.add(lines.x().text());
        columns.add(lines.y().text());
        List<List<String>> rows = new ArrayList<>();
        for (FigureLine line : lines.lines()) {
            for (FigurePoint point : line.points()) {
                List<String> row = new ArrayList<>(List.of(line.name()));
                if (labelled) {
                    row.add(point.label());
                }
                row.add(Numbers.text(point.x()));
                row.add(point.text());
                rows.add(row);
            }
        }
        return new Figure.Table(lines.caption(), columns, rows);
    }

    private static Figure.Table bars(Figure.Bars bars) {
        List<String> groups = bars.bars().stream().map(Bar::group).distinct().toList();
        List<String> names = bars.bars().stream().map(Bar::name).distinct().toList();
        Map<List<String>, String> cells = new LinkedHashMap<>();
        bars.bars()
                .forEach(bar ->
                        cells.merge(List.of(bar.group(), bar.name()), bar.text(), (one, other) -> one + ", " + other));
        boolean alone = groups.size() == 1;
        List<String> columns = new ArrayList<>(List.of(alone ? groups.getFirst() : ""));
        columns.addAll(alone ? List.of(bars.unit()) : names);
        List<List<String>> rows = new ArrayList<>();
        for (String head : alone ? names : groups) {
            List<String> row = new ArrayList<>(List.of(head));
            for (String other : alone ? groups : names) {
                row.add(cells.getOrDefault(alone ? List.of(other, head) : List.of(head, other), ""));
            }
            rows.add(row);
        }
        return new Figure.Table(Numbers.label(bars.caption(), bars.unit()), columns, rows);
    }

    /** Whether a table across has more cells filled than empty, and no two points in one. */
    private static boolean sharesItsX(Figure.Lines lines) {
        boolean once = lines.lines().stream()
                .allMatch(line ->
                        line.points().stream().map(FigurePoint::x).distinct().count()
                                == line.points().size());
        boolean labelled = points(lines).anyMatch(point -> !point.label().isEmpty());
        long places = points(lines).map(FigurePoint::x).distinct().count();
        return once
                && !labelled
                && 2 * points(lines).count() > places * lines.lines().size();
    }

    private static Stream<FigurePoint> points(Figure.Lines lines) {
        return lines.lines().stream().flatMap(line -> line.points().stream());
    }
}
