package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.report.Column;

/** The figures of a table's row in a run's JSON. */
record JsonRow(String name, JsonNode figures) {
    /** The row's name. */
    static Column<JsonRow> name(String heading) {
        return Column.of(heading, JsonRow::name);
    }

    /**
     * A number of the JSON; an empty cell if it is not there.
     *
     * @param pointer to it, in which {@code NAME} stands for the row's name
     */
    static Column<JsonRow> number(String heading, String unit, String pointer) {
        return Column.of(
                heading,
                unit,
                row -> row.figures.at(pointer.replace("NAME", row.name)).numberValue());
    }
}
