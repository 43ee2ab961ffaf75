package dev.kvstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A page for a terminal: its texts, and its tables in columns. A chart is left out where its section has a table, and is
 * a table itself where the section has none.
 */
final class PlainText {
    private static final String GAP = "  ";

    private final StringBuilder text = new StringBuilder();

    private PlainText() {}

    static String of(ReportPage page, List<String> failures) {
        PlainText plain = new PlainText();
        plain.paragraph(page.summary());
        page.sections().forEach(plain::section);
        failures.forEach(
                failure -> plain.text.append("FAILED: ").append(failure).append('\n'));
        return plain.text.toString();
    }

    private void section(ReportPage.Section section) {
        boolean hasTable = section.figures().stream().anyMatch(Figure.Table.class::isInstance);
        List<Figure.Table> tables = section.figures().stream()
                .filter(figure -> !hasTable || figure instanceof Figure.Table)
                .map(Tables::of)
                .toList();
        if (section.text().isBlank() && tables.isEmpty()) {
            return;
        }
        paragraph(section.heading());
        paragraph(section.text());
        tables.forEach(this::table);
    }

    private void paragraph(String paragraph) {
        if (!paragraph.isBlank()) {
            text.append(paragraph.strip()).append("\n\n");
        }
    }

    private void table(Figure.Table table) {
        if (!table.caption().isBlank()) {
            text.append(table.caption()).append('\n');
        }
        List<List<String>> lines = new ArrayList<>(table.rows());
        if (table.columns().stream().anyMatch(column -> !column.isBlank())) {
            lines.addFirst(table.columns());
        }
        List<Integer> columns =
                IntStream.range(0, table.columns().size()).boxed().toList();
        int[] widths = columns.stream()
                .mapToInt(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder();
            for (int column : columns) {
                String blanks = " ".repeat(widths[column] - line.get(column).length());
                boolean right = Tables.isNumeric(table, column);
                cells.append(GAP).append(right ? blanks + line.get(column) : line.get(column) + blanks);
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
        text.append('\n');
    }
}
