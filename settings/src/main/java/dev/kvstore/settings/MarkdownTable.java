package dev.kvstore.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Settings for a file. Stateless. */
final class MarkdownTable {
    private static final String HEAD = """
            # All settings

            This file is made from the programs: `./kv help settings --markdown > docs/operations/all-settings.md` writes it
            again, and a test compares the two. `./kv help settings` prints the same for a terminal.
            """;

    private static final int COLUMNS_OF_TEXT = 120;

    private record Column(String head, Function<Setting, String> of) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("name", setting -> "`" + setting.name() + "`"),
            new Column("type", setting -> escaped(setting.type())),
            new Column("default", setting -> code(setting.standard())),
            new Column("range", setting -> escaped(setting.range())),
            new Column("what it bounds or does", setting -> escaped(setting.bounds())),
            new Column("at the bound", setting -> escaped(setting.reached())));

    private MarkdownTable() {}

    static String of(List<SettingGroup> groups) {
        return groups.stream().map(MarkdownTable::group).collect(Collectors.joining("\n", HEAD + "\n", ""));
    }

    private static String group(SettingGroup group) {
        List<Column> used = COLUMNS.stream()
                .filter(column -> group.settings().stream()
                        .anyMatch(setting -> !column.of().apply(setting).isEmpty()))
                .toList();
        List<String> lines = new ArrayList<>(List.of("## " + group.title(), "", folded(group.how()), ""));
        lines.add(row(used, Column::head));
        lines.add(row(used, _ -> "---"));
        group.settings()
                .forEach(setting -> lines.add(row(used, column -> column.of().apply(setting))));
        return String.join("\n", lines) + "\n";
    }

    /** In lines of at most {@link #COLUMNS_OF_TEXT} characters, broken at spaces. */
    private static String folded(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > COLUMNS_OF_TEXT) {
                lines.append('\n');
                column = 0;
            } else if (column > 0) {
                lines.append(' ');
                column++;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.toString();
    }

    private static String row(List<Column> columns, Function<Column, String> cell) {
        return columns.stream().map(cell).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String code(String value) {
        return value.matches("\\S+") ? "`" + value + "`" : escaped(value);
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*.", "\\*.");
    }
}
