package dev.kvstore.endtoend;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.endtoend.Dashboards.Dashboard;
import dev.kvstore.endtoend.Dashboards.Panel;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** Dashboards as Grafana loads them. Stateless. */
final class GrafanaJson {
    /** Where alerts are answered, unless an operator says otherwise. */
    static final String ALERTS_PAGE = "https://kvstore.dev/docs/operations/alerts.md";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DefaultPrettyPrinter PRINTER = new DefaultPrettyPrinter(
            Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));
    private static final String SOURCE = "{\"type\": \"prometheus\", \"uid\": \"${datasource}\"}";
    /** Of Grafana 11, and taken by all later ones. */
    private static final int SCHEMA = 39;

    private static final int COLUMNS = 24;
    private static final int WIDTH = 8;
    private static final int HEIGHT = 8;
    /** Numbers of rows, after all of panels. */
    private static final int FIRST_ROW = 1_000;

    private GrafanaJson() {}

    /** The text of a file. */
    static String of(Dashboard dashboard) throws JsonProcessingException {
        ObjectNode json = JSON.createObjectNode()
                .put("uid", dashboard.uid())
                .put("title", dashboard.title())
                .put("description", "Made of deploy/observability/dashboards.yaml: changes here are lost.")
                .put("editable", false)
                .put("graphTooltip", 1)
                .put("refresh", "30s")
                .put("schemaVersion", SCHEMA)
                .put("timezone", "utc");
        json.putArray("tags").add("kvstore");
        json.putObject("time").put("from", "now-3h").put("to", "now");
        json.putArray("links").add(link("Alerts", "${alerts_page}")).add(others());
        json.putObject("templating").set("list", variables(dashboard));
        json.set("panels", panels(dashboard));
        return JSON.writer(PRINTER).writeValueAsString(json) + "\n";
    }

    private static ObjectNode link(String title, String url) {
        return JSON.createObjectNode()
                .put("title", title)
                .put("type", "link")
                .put("url", url)
                .put("targetBlank", true);
    }

    private static ObjectNode others() {
        ObjectNode link = JSON.createObjectNode()
                .put("title", "KV Store")
                .put("type", "dashboards")
                .put("asDropdown", true)
                .put("includeVars", true)
                .put("keepTime", true);
        link.putArray("tags").add("kvstore");
        return link;
    }

    private static ArrayNode variables(Dashboard dashboard) throws JsonProcessingException {
        ArrayNode variables = JSON.createArrayNode();
        variables
                .addObject()
                .put("name", "datasource")
                .put("label", "Data source")
                .put("type", "datasource")
                .put("query", "prometheus");
        variables
                .addObject()
                .put("name", "alerts_page")
                .put("type", "constant")
                .put("hide", 2)
                .put("query", ALERTS_PAGE);
        Set<String> labels = new LinkedHashSet<>();
        dashboard.planes().forEach(plane -> labels.addAll(DashboardQuery.chosen(plane)));
        StringBuilder before = new StringBuilder();
        for (String label : labels) {
            String query = "label_values(" + processes(dashboard, before) + ", " + label + ")";
            variables
                    .addObject()
                    .put("name", label)
                    .put("label", label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1))
                    .put("type", "query")
                    .put("query", query)
                    .put("refresh", 2)
                    .put("sort", 1)
                    .put("multi", true)
                    .put("includeAll", true)
                    // A scrape may add no region and no cluster.
                    .put("allValue", label.equals("job") || label.equals("instance") ? ".+" : ".*")
                    .set("datasource", JSON.readTree(SOURCE));
            before.append(before.isEmpty() ? "" : ",")
                    .append(label)
                    .append("=~\"$")
                    .append(label)
                    .append('"');
        }
        return variables;
    }

    /** A series that each process has, of those that the matchers choose. */
    private static String processes(Dashboard dashboard, CharSequence matchers) {
        String series = "kvstore_connections_open";
        if (dashboard.planes().size() == 1) {
            series = switch (dashboard.planes().getFirst()) {
                case DATA -> "kvstore_info";
                case CONTROL -> "kvstore_database_read_only";
                case ENGINE -> "{" + DashboardQuery.ofEngine("vllm:kvstore_agent_connected") + "}";
            };
        }
        if (matchers.isEmpty()) {
            return series;
        }
        return series.endsWith("}")
                ? series.substring(0, series.length() - 1) + "," + matchers + "}"
                : series + "{" + matchers + "}";
    }

    private static ArrayNode panels(Dashboard dashboard) throws JsonProcessingException {
        ArrayNode panels = JSON.createArrayNode();
        int y = 0;
        int rows = FIRST_ROW;
        for (Dashboards.Row row : dashboard.rows()) {
            ObjectNode heading = panels.addObject()
                    .put("id", rows++)
                    .put("type", "row")
                    .put("title", row.title())
                    .put("collapsed", false);
            place(heading, 0, y++, COLUMNS, 1);
            heading.putArray("panels");
            int x = 0;
            for (Panel panel : row.panels()) {
                if (x == COLUMNS) {
                    x = 0;
                    y += HEIGHT;
                }
                ObjectNode made = panel(panel);
                place(made, x, y, WIDTH, HEIGHT);
                panels.add(made);
                x += WIDTH;
            }
            y += HEIGHT;
        }
        return panels;
    }

    private static void place(ObjectNode panel, int x, int y, int width, int height) {
        panel.putObject("gridPos").put("h", height).put("w", width).put("x", x).put("y", y);
    }

    private static ObjectNode panel(Panel panel) throws JsonProcessingException {
        ObjectNode json = JSON.createObjectNode()
                .put("id", panel.id())
                .put("type", "timeseries")
                .put("title", panel.title())
                .put("description", panel.description());
        json.set("datasource", JSON.readTree(SOURCE));
        json.putObject("fieldConfig").putArray("overrides");
        json.withObject("/fieldConfig")
                .putObject("defaults")
                .put("unit", panel.unit())
                .put("min", 0);
        json.putObject("options").putObject("tooltip").put("mode", "multi").put("sort", "desc");
        ArrayNode links = json.putArray("links");
        for (String alert : panel.alerts()) {
            links.add(link("If " + alert + " fires", "${alerts_page}#" + alert.toLowerCase(Locale.ROOT)));
        }
        ArrayNode targets = json.putArray("targets");
        panel.queries()
                .forEach((legend, query) -> targets.addObject()
                        .put("refId", String.valueOf((char) ('A' + targets.size() - 1)))
                        .put("expr", query)
                        .put("legendFormat", legend)
                        .set("datasource", json.get("datasource").deepCopy()));
        return json;
    }
}
