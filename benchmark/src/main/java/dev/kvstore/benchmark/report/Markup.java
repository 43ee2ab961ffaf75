package dev.kvstore.benchmark.report;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Pieces of HTML. */
final class Markup {
    private Markup() {}

    /** Text as HTML's text, or as an attribute's value between double quotes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** A whole page: its style and its script are in it, and it may load nothing else. */
    static String document(String title, String body) {
        Assets assets = Assets.bundled();
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <link rel="icon" href="data:,">
                <title>%s</title>
                <style>%s</style>
                </head>
                <body>
                %s<script>%s</script>
                </body>
                </html>
                """.formatted(assets.policy(), escape(title), assets.style(), body, assets.script());
    }

    /** The line above all, with the page's tools, which are of use only to those who run its script. */
    static String bar(String text, @Nullable String download) {
        return "<div class=\"bar\"><span>" + escape(text) + "</span><span class=\"tools\" hidden>"
                + (download == null ? "" : "<button type=\"button\" id=\"all\">" + escape(download) + "</button>")
                + "<button type=\"button\" id=\"theme\"></button></span></div>\n";
    }

    /** A table that scrolls on its own, reached by keyboard too. */
    static void table(StringBuilder html, Figure.Table table) {
        boolean[] numeric = new boolean[table.columns().size()];
        IntStream.range(0, numeric.length).forEach(column -> numeric[column] = Tables.isNumeric(table, column));
        html.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
        html.append(escape(table.caption())).append("\">\n<table>\n<thead>");
        row(html, "th", table.columns(), numeric);
        html.append("</thead>\n<tbody>\n");
        table.rows().forEach(row -> row(html, "td", row, numeric));
        html.append("</tbody>\n</table>\n</div>\n");
    }

    private static void row(StringBuilder html, String tag, List<String> cells, boolean[] numeric) {
        html.append("<tr>");
        for (int column = 0; column < numeric.length; column++) {
            html.append('<').append(tag).append(numeric[column] ? " class=\"number\">" : ">");
            html.append(escape(cells.get(column))).append("</").append(tag).append('>');
        }
        html.append("</tr>\n");
    }
}
