package dev.kvstore.benchmark.report;

import java.util.List;

/**
 * What a run found, for people, in the order of reading. Plain text throughout: nothing in it is taken as HTML or Markdown.
 *
 * @param title such as "Peers"
 * @param summary the answer in a sentence or three
 */
public record Page(String title, String summary, List<Section> sections) {
    public Page {
        sections = List.copyOf(sections);
    }

    /**
     * A part of the page.
     *
     * @param text paragraphs, an empty line between them; may be empty
     */
    public record Section(String heading, String text, List<Figure> figures) {
        public Section {
            figures = List.copyOf(figures);
        }
    }
}
