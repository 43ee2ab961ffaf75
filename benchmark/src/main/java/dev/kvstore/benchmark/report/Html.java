package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * A run as one HTML page that needs nothing else: text and tables in it, charts drawn from the figures in it. Its own
 * policy forbids it to load anything.
 */
final class Html {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final StringBuilder html = new StringBuilder();
    private final ArrayNode charts = MAPPER.createArrayNode();

    private Html() {}

    static String of(EndedRun run) {
        return new Html().page(run);
    }

    private String page(EndedRun run) {
        head(run);
        html.append("<main>\n");
        List<ReportPage.Section> sections = run.page().sections();
        for (int i = 0; i < sections.size(); i++) {
            section(sections.get(i), "section-" + (i + 1));
        }
        how(run.environment());
        html.append("</main>\n");
        data("charts", charts.toString());
        data(
                "run",
                MAPPER.createObjectNode()
                        .<ObjectNode>set("environment", MAPPER.valueToTree(run.environment()))
                        .<ObjectNode>set("report", run.figures())
                        .toString());
        return Markup.document(run.page().title() + " \u00b7 KV Store", html.toString());
    }

    private void head(EndedRun run) {
        html.append("<header>\n").append(Markup.bar("KV Store benchmark", "All figures as JSON"));
        element("h1", run.page().title());
        if (!run.page().summary().isBlank()) {
            html.append("<p class=\"summary\">")
                    .append(Markup.escape(run.page().summary()))
                    .append("</p>\n");
        }
        run.warnings()
                .forEach(warning -> html.append("<p class=\"warning\">")
                        .append(Markup.escape(warning))
                        .append("</p>\n"));
        html.append("<p class=\"origin\">")
                .append(Markup.escape(origin(run.environment())))
                .append("</p>\n");
        html.append("</header>\n");
    }

    private static String origin(RunEnvironment environment) {
        return String.format(
                Locale.ROOT,
                "%s UTC \u00b7 %s \u00b7 %d processors \u00b7 %s",
                environment.started().replace('T', ' ').replace("Z", ""),
                environment.machine().processor(),
                environment.machine().processors(),
                environment.version());
    }

    private void section(ReportPage.Section section, String id) {
        html.append("<section id=\"").append(id).append("\">\n");
        element("h2", section.heading());
        for (Paragraph paragraph : Paragraph.of(section.text())) {
            element(paragraph.preformatted() ? "pre" : "p", paragraph.text());
        }
        if (!section.figures().isEmpty()) {
            html.append("<div class=\"figures\">\n");
            section.figures().forEach(this::figure);
            html.append("</div>\n");
        }
        html.append("</section>\n");
    }

    private void figure(Figure figure) {
        Figure.Table table = Tables.of(figure);
        if (figure instanceof Figure.Table) {
            html.append("<figure class=\"table\">\n");
            element("figcaption", table.caption());
            Markup.table(html, table);
        } else {
            html.append("<figure class=\"chart\" id=\"chart-")
                    .append(charts.size())
                    .append("\">\n");
            element("figcaption", figure.caption());
            html.append("<div class=\"plot\"></div>\n<details open>\n<summary>Table</summary>\n");
            Markup.table(html, table);
            html.append("</details>\n");
            ObjectNode chart = charts.addObject().put("kind", figure instanceof Figure.Lines ? "lines" : "bars");
            chart.setAll(MAPPER.<ObjectNode>valueToTree(figure));
        }
        html.append("</figure>\n");
    }

    private void how(RunEnvironment environment) {
        html.append("<section id=\"how\">\n");
        element("h2", EndedRun.HOW);
        html.append("<dl>\n");
        for (List<String> row : environment.table().rows()) {
            element("dt", row.getFirst());
            element("dd", row.getLast());
        }
        html.append("</dl>\n</section>\n");
    }

    private void element(String tag, String text) {
        if (!text.isBlank()) {
            html.append('<').append(tag).append('>').append(Markup.escape(text));
            html.append("</").append(tag).append(">\n");
        }
    }

    /** JSON that no text in it can end. */
    private void data(String id, String json) {
        html.append("<script type=\"application/json\" id=\"").append(id).append("\">");
        html.append(json.replace("<", "\\u003c")).append("</script>\n");
    }
}
