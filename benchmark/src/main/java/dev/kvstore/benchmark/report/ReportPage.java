package dev.kvstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The findings of a run, for people, in the order of reading. All texts are plain text: nothing in them is taken as
 * HTML or Markdown.
 *
 * @param title such as "Peers"
 * @param summary the answer in a sentence or three
 */
public record ReportPage(String title, String summary, List<Section> sections) {
    public ReportPage {
        sections = List.copyOf(sections);
    }

    /**
     * The page with the promises that did not hold before all else, a sentence each; the same page if there are none.
     */
    public ReportPage withFailures(List<String> sentences) {
        if (sentences.isEmpty()) {
            return this;
        }
        List<Section> all =
                new ArrayList<>(List.of(new Section("What did not hold", String.join("\n\n", sentences), List.of())));
        all.addAll(sections);
        return new ReportPage(title, summary, all);
    }

    /**
     * The page for a terminal.
     *
     * @param failures the promises that did not hold, a sentence each
     */
    public String text(List<String> failures) {
        return TerminalText.of(this, failures);
    }

    /**
     * A part of the page.
     *
     * @param text paragraphs, an empty line between them; may be empty. A paragraph of one line is set as text, one of
     *     several lines as it stands, in columns
     * @param figures tables and charts; a terminal shows the table of each, also of a chart
     */
    public record Section(String heading, String text, List<Figure> figures) {
        public Section {
            figures = List.copyOf(figures);
        }
    }
}
