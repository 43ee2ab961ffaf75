package dev.kvstore.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes settings as Markdown. Stateless. */
final class MarkdownTable {
    private static final String HEAD = """
            # All settings

            This file is made from the programs: `./kv help settings --markdown > docs/operations/all-settings.md` writes it
            again, and a test compares the two. `./kv help settings` prints the same for a terminal.
            """;

    private static final int COLUMNS_OF_TEXT = 120;

    private record TableColumn(String head, Function<Setting, String> of) {}

    private static final List<TableColumn> COLUMNS = List.of(
            new TableColumn("name", setting -> "`" + setting.name() + "`"),
            new TableColumn("type", setting -> escaped(setting.type())),
            new TableColumn("default", setting -> code(setting.standard())),
            new TableColumn("range", setting -> escaped(setting.range())),
            new TableColumn("what it bounds or does", setting -> escaped(setting.bounds())),
            new TableColumn("at the bound", setting -> escaped(setting.reached())));

    private MarkdownTable() {}

    static String of(List<SettingGroup> groups) {
        return groups.stream().map(MarkdownTable::group).collect(Collectors.joining("\n", HEAD + "\n", ""));
    }

    private static String group(SettingGroup group) {
        List<TableColumn> used = COLUMNS.stream()
                .filter(column -> group.settings().stream()
                        .anyMatch(setting -> !column.of().apply(setting).isEmpty()))
                .toList();
        List<String> lines = new ArrayList<>(List.of("## " + group.title(), "", folded(group.how()), ""));
        lines.add(row(used, TableColumn::head));
        lines.add(row(used, _ -> "---"));
        group.settings()
                .forEach(setting -> lines.add(row(used, column -> column.of().apply(setting))));
        return String.join("\n", lines) + "\n";
    }

    /** A text in lines of at most {@link #COLUMNS_OF_TEXT} characters, broken at spaces. */
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

    private static String row(List<TableColumn> columns, Function<TableColumn, String> cell) {
        return columns.stream().map(cell).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String code(String value) {
        return value.matches("\\S+") ? "`" + value + "`" : escaped(value);
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*.", "\\*.");
    }
}
