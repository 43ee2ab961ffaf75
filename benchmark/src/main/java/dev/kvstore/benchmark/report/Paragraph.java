package dev.kvstore.benchmark.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A part of a section's text.
 *
 * @param preformatted whether its line breaks and columns say something
 */
record Paragraph(String text, boolean preformatted) {
    private static final Pattern EMPTY_LINES = Pattern.compile("\\R(\\h*\\R)+");
    private static final Pattern LEADING_EMPTY_LINES = Pattern.compile("^(\\h*\\R)+");

    static List<Paragraph> of(String text) {
        return Stream.of(EMPTY_LINES.split(LEADING_EMPTY_LINES.matcher(text).replaceFirst("")))
                .map(String::stripTrailing)
                .filter(paragraph -> !paragraph.isEmpty())
                .map(paragraph -> new Paragraph(paragraph, paragraph.lines().count() > 1))
                .toList();
    }
}
