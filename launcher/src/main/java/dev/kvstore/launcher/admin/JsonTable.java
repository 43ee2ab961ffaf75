package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.rest.Plain;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats JSON for people: lists as tables, one item as a line per field. Plain text. */
final class JsonTable {
    private static final String NOTHING = "-";
    private static final String GAP = "  ";

    private JsonTable() {}

    /** A table with a heading and a line per item; the columns are the names of fields. */
    static String of(List<String> columns, List<JsonNode> items) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(JsonTable::heading).toList());
        for (JsonNode item : items) {
            rows.add(columns.stream().map(column -> cell(item.path(column))).toList());
        }
        return lines(rows);
    }

    /** A line for every field; inner fields have paths such as {@code replicas[0].state}. */
    static String of(JsonNode item) {
        List<List<String>> rows = new ArrayList<>();
        flatten("", item, rows);
        return lines(rows);
    }

    private static void flatten(String path, JsonNode node, List<List<String>> rows) {
        boolean words = node.isArray() && node.valueStream().noneMatch(JsonNode::isContainerNode);
        boolean plain = node.isValueNode() || node.isEmpty() || words;
        if (plain) {
            rows.add(List.of(path, cell(node)));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "[" + i + "]", node.path(i), rows);
            }
        } else {
            node.properties()
                    .forEach(field -> flatten(
                            Plain.line(path.isEmpty() ? field.getKey() : path + "." + field.getKey()),
                            field.getValue(),
                            rows));
        }
    }

    /** The heading of a field, such as {@code DISPLAY-NAME}. */
    private static String heading(String field) {
        return field.replaceAll("([a-z])([A-Z])", "$1-$2").toUpperCase(Locale.ROOT);
    }

    private static String cell(JsonNode value) {
        if (value.isArray()) {
            return value.isEmpty()
                    ? NOTHING
                    : String.join(",", value.valueStream().map(JsonTable::cell).toList());
        }
        String text = value.isObject() ? value.toString() : value.asText("");
        // Text that other people wrote must not control the terminal.
        return value.isNull() || text.isEmpty() ? NOTHING : Plain.line(text);
    }

    private static String lines(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i))
                        .append(" ".repeat(width(rows, i) - length(row.get(i))))
                        .append(GAP);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
