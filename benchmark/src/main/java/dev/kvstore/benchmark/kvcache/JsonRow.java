package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.report.Column;

/** The figures of a table's row, which are in the original's JSON. */
record JsonRow(String name, JsonNode figures) {
    static Column<JsonRow> name(String heading) {
        return Column.of(heading, row -> row.name.replace('_', ' '));
    }

    /** @param pointer to a number, which may be missing; in it {@code NAME} stands for the row's name */
    static Column<JsonRow> number(String heading, String unit, String pointer) {
        return Column.of(
                heading,
                unit,
                row -> row.figures.at(pointer.replace("NAME", row.name)).numberValue());
    }

    /** @param pointer to a number or a text, which may be missing */
    static Column<JsonRow> value(String heading, String pointer) {
        return Column.of(heading, row -> {
            JsonNode value = row.figures.at(pointer);
            return value.isNumber() ? value.numberValue() : value.textValue();
        });
    }

    /** A fact about a single thing: a number, or 0 if it is missing, times a factor. */
    static Column<JsonNode> fact(String name, String unit, double factor, String pointer) {
        return Column.of(name, unit, json -> factor * json.at(pointer).asDouble());
    }
}
