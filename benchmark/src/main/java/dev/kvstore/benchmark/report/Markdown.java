package dev.kvstore.benchmark.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A run as Markdown (CommonMark with tables), its charts as tables. Its arguments are text, and stay text. */
final class Markdown {
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_\\[\\]<>|~&$]");
    private static final Pattern AT_LINE_START = Pattern.compile("^(\\s*)([-+#=]|\\d+(?=[.)]))");
    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*\\R\\s*");

    private final StringBuilder text = new StringBuilder();

    private Markdown() {}

    static String of(EndedRun run) {
        Markdown markdown = new Markdown();
        markdown.heading("#", run.page().title());
        markdown.paragraph(run.page().summary());
        run.warnings().forEach(markdown::warning);
        for (ReportPage.Section section : run.page().sections()) {
            markdown.heading("##", section.heading());
            Paragraph.of(section.text()).forEach(markdown::paragraph);
            section.figures().forEach(figure -> markdown.table(Tables.of(figure)));
        }
        markdown.heading("##", EndedRun.HOW);
        markdown.table(run.environment().table());
        return markdown.text.toString().stripTrailing() + "\n";
    }

    private void heading(String marks, String heading) {
        text.append(marks).append(' ').append(inline(heading)).append("\n\n");
    }

    private void paragraph(Paragraph paragraph) {
        if (paragraph.preformatted()) {
            String fence = fence(paragraph.text());
            text.append(fence)
                    .append('\n')
                    .append(paragraph.text())
                    .append('\n')
                    .append(fence)
                    .append("\n\n");
        } else {
            paragraph(paragraph.text());
        }
    }

    private void paragraph(String line) {
        if (!line.isBlank()) {
            text.append(AT_LINE_START.matcher(inline(line)).replaceFirst("$1\\\\$2"))
                    .append("\n\n");
        }
    }

    private void warning(String line) {
        text.append("**").append(inline(line)).append("**\n\n");
    }

    private void table(Figure.Table table) {
        if (!table.caption().isBlank()) {
            text.append('*').append(inline(table.caption())).append("*\n\n");
        }
        row(table.columns());
        row(IntStream.range(0, table.columns().size())
                .mapToObj(column -> Tables.isNumeric(table, column) ? "--:" : "---"));
        table.rows().forEach(this::row);
        text.append('\n');
    }

    private void row(List<String> cells) {
        row(cells.stream().map(Markdown::inline));
    }

    private void row(Stream<String> cells) {
        text.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** A fence that the text does not have in it. */
    private static String fence(String content) {
        String fence = "```";
        while (content.contains(fence)) {
            fence += "`";
        }
        return fence;
    }

    private static String inline(String plain) {
        String line = LINE_BREAKS.matcher(plain.strip()).replaceAll(" ");
        return SPECIAL.matcher(line).replaceAll("\\\\$0");
    }
}
