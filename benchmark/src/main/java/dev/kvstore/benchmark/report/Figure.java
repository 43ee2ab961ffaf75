package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A table or a chart. */
public sealed interface Figure {
    String caption();

    /**
     * Rows of text; a column whose cells are all numbers is set to the right.
     *
     * @param rows each as long as {@code columns}
     */
    record Table(String caption, List<String> columns, List<List<String>> rows) implements Figure {
        public Table {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
            int width = columns.size();
            if (rows.stream().anyMatch(row -> row.size() != width)) {
                throw new IllegalArgumentException(caption + ": each row has " + width + " cells");
            }
        }

        /** A row for each thing. */
        public static <R> Table of(String caption, List<Column<R>> columns, Collection<? extends R> rows) {
            return new Table(
                    caption,
                    columns.stream().map(Column::heading).toList(),
                    rows.stream()
                            .map(row -> columns.stream()
                                    .map(column -> column.cell(row))
                                    .toList())
                            .toList());
        }

        /** The facts about one thing, a row for each. */
        public static <R> Table facts(String caption, List<Column<R>> facts, R thing) {
            return compared(caption, facts, _ -> "", List.of(thing));
        }

        /**
         * The facts about several things, a row for each fact and a column for each thing.
         *
         * @param name heads the column of a thing
         */
        public static <R> Table compared(
                String caption, List<Column<R>> facts, Function<R, String> name, List<R> things) {
            return new Table(
                    caption,
                    Stream.concat(Stream.of(""), things.stream().map(name)).toList(),
                    facts.stream()
                            .map(fact -> Stream.concat(
                                            Stream.of(fact.heading()),
                                            things.stream().map(fact::cell))
                                    .toList())
                            .toList());
        }

        /**
         * Names, and what there is to say of each.
         *
         * @param namesAndValues in turn
         */
        public static Table facts(String caption, String... namesAndValues) {
            List<List<String>> rows = new ArrayList<>();
            for (int i = 0; i < namesAndValues.length; i += 2) {
                rows.add(List.of(namesAndValues[i], namesAndValues[i + 1]));
            }
            return new Table(caption, List.of("", ""), rows);
        }
    }

    /**
     * Lines over a common axis, such as latency against concurrency. Values that are no number are left out of the
     * drawing.
     */
    record Lines(String caption, Axis x, Axis y, List<FigureLine> lines) implements Figure {
        public Lines {
            lines = List.copyOf(lines);
        }
    }

    /** Bars with error ranges, such as peers. */
    record Bars(String caption, String unit, List<Bar> bars) implements Figure {
        public Bars {
            bars = List.copyOf(bars);
        }

        /** A bar for each thing. */
        public static <R> Bars of(String caption, String unit, Collection<R> things, Function<R, Bar> bar) {
            return new Bars(caption, unit, things.stream().map(bar).toList());
        }
    }

    /**
     * An axis: the quantity that is counted along it.
     *
     * @param logarithmic whether equal ratios are equal distances; only for values above 0
     */
    record Axis(String label, String unit, boolean logarithmic) {
        /** The axis's name for people. */
        @JsonProperty
        String text() {
            return Numbers.label(label, unit);
        }
    }

    /** One line, its points in the order of drawing. */
    record FigureLine(String name, List<FigurePoint> points) {
        public FigureLine {
            points = List.copyOf(points);
        }
    }

    /**
     * A point with the least and the most value that was seen.
     *
     * @param low the least of the rounds; {@code y} if there was one
     * @param high the most of the rounds; {@code y} if there was one
     * @param label a fact that the axes do not show, such as the clients behind a throughput and its latency; may be
     *     empty
     */
    record FigurePoint(double x, double y, double low, double high, String label) {
        public FigurePoint(double x, double y, double low, double high) {
            this(x, y, low, high, "");
        }

        public static FigurePoint of(double x, double y) {
            return new FigurePoint(x, y, y, y);
        }

        /** The point's value for people, with its range. */
        @JsonProperty
        String text() {
            return Numbers.text(y, low, high);
        }
    }

    /**
     * One bar.
     *
     * @param group bars of one group stand together, under its name
     * @param low the least of the rounds
     * @param high the most of the rounds
     */
    record Bar(String group, String name, double value, double low, double high) {
        /** A bar without a range. */
        public static Bar of(String group, String name, double value) {
            return new Bar(group, name, value, value, value);
        }

        public static Bar of(String group, String name, Spread spread) {
            return new Bar(group, name, spread.median(), spread.min(), spread.max());
        }

        /** The bar's value for people, with its range. */
        @JsonProperty
        String text() {
            return Numbers.text(value, low, high);
        }
    }
}
