package dev.kvstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A page for a terminal: its texts, and its tables in columns. A chart is left out where its section has a table, and is
 * a table itself where the section has none.
 */
final class TerminalText {
    private static final int WIDTH = 110;
    private static final String GAP = "  ";
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final StringBuilder text = new StringBuilder();

    private TerminalText() {}

    static String of(ReportPage page, List<String> failures) {
        TerminalText plain = new TerminalText();
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
        for (Paragraph part : Paragraph.of(paragraph)) {
            text.append(part.preformatted() ? part.text() : wrapped(part.text()))
                    .append("\n\n");
        }
    }

    private static String wrapped(String line) {
        StringBuilder lines = new StringBuilder();
        int length = 0;
        for (String word : BLANKS.splitAsStream(line.strip()).toList()) {
            boolean fits = length + 1 + word.length() <= WIDTH;
            lines.append(length == 0 ? "" : fits ? " " : "\n").append(word);
            length = fits ? length + 1 + word.length() : word.length();
        }
        return lines.toString();
    }

    private void table(Figure.Table table) {
        if (table.rows().isEmpty()) {
            return;
        }
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
