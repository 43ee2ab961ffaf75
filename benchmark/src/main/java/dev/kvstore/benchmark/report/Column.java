package dev.kvstore.benchmark.report;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, or one of the facts about a single thing.
 *
 * @param <R> what a row is about
 * @param unit such as {@code ms}; empty for none
 * @param value a number, a {@link Spread}, or anything else, which is set as its text; null leaves the cell empty
 */
public record Column<R>(String name, String unit, Function<R, @Nullable Object> value) {
    /** A column without a unit. */
    public static <R> Column<R> of(String name, Function<R, @Nullable Object> value) {
        return new Column<>(name, "", value);
    }

    public static <R> Column<R> of(String name, String unit, Function<R, @Nullable Object> value) {
        return new Column<>(name, unit, value);
    }

    String heading() {
        return Numbers.label(name, unit);
    }

    String cell(R row) {
        return switch (value.apply(row)) {
            case null -> "";
            case Spread spread -> Numbers.text(spread.median(), spread.min(), spread.max());
            case Double number -> Numbers.text(number);
            case Number number -> Numbers.text(number.longValue());
            case Object other -> other.toString();
        };
    }
}
