package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.kvstore.endtoend.Meters.Plane;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The dashboards that deploy/observability/dashboards.yaml describes, with the queries that Grafana sends: those of the
 * file, on the series that a dashboard's variables choose. Immutable.
 */
record Dashboards(List<Dashboard> all) {
    private static final Path SOURCE = Home.current().path().resolve("deploy/observability/dashboards.yaml");

    /** @param uid its file's name, too */
    record Dashboard(String uid, String title, List<Plane> planes, List<Row> rows) {
        Stream<Panel> panels() {
            return rows.stream().flatMap(row -> row.panels().stream());
        }
    }

    /** Panels under a heading. */
    record Row(String title, List<Panel> panels) {}

    /**
     * One of a dashboard's.
     *
     * @param id its number in the dashboard, from 1
     * @param meters of its queries, those of libraries left out
     * @param queries by the text of the legend
     * @param alerts that lead to it
     */
    record Panel(
            int id,
            String title,
            String description,
            String unit,
            List<Meters.Meter> meters,
            Map<String, String> queries,
            List<String> alerts) {}

    /** @throws IllegalArgumentException if a query names a meter, or a label, that there is not */
    static Dashboards read() throws IOException {
        Map<Plane, Meters> meters = new EnumMap<>(Plane.class);
        for (Plane plane : Plane.values()) {
            meters.put(plane, Meters.of(plane));
        }
        JsonNode source = new ObjectMapper(new YAMLFactory()).readTree(Files.readString(SOURCE));
        return new Dashboards(source.path("dashboards")
                .valueStream()
                .map(dashboard -> dashboard(dashboard, meters))
                .toList());
    }

    /**
     * The panel that an alert leads to, as the runbook names it.
     *
     * @throws IllegalArgumentException if there is none
     */
    String place(String alert) {
        for (Dashboard dashboard : all) {
            for (Panel panel : dashboard.panels().toList()) {
                if (panel.alerts().contains(alert)) {
                    return "the panel *" + panel.title() + "* of the dashboard *"
                            + dashboard.title().replace("KV Store / ", "") + "*";
                }
            }
        }
        throw new IllegalArgumentException("no panel of dashboards.yaml has " + alert + " among its alerts");
    }

    private static Dashboard dashboard(JsonNode source, Map<Plane, Meters> meters) {
        List<Plane> planes = source.path("planes")
                .valueStream()
                .map(plane -> Plane.valueOf(plane.asText().toUpperCase(Locale.ROOT)))
                .toList();
        DashboardQuery query =
                new DashboardQuery(planes, planes.stream().map(meters::get).toList());
        List<Row> rows = new ArrayList<>();
        int id = 1;
        for (JsonNode row : source.path("rows")) {
            List<Panel> panels = new ArrayList<>();
            for (JsonNode panel : row.path("panels")) {
                panels.add(panel(id++, panel, query));
            }
            rows.add(new Row(row.path("title").asText(), panels));
        }
        return new Dashboard(source.path("uid").asText(), source.path("title").asText(), planes, rows);
    }

    private static Panel panel(int id, JsonNode source, DashboardQuery query) {
        String title = source.path("title").asText();
        Map<String, String> written = new LinkedHashMap<>();
        if (source.has("query")) {
            String only = source.path("query").asText();
            written.put(source.path("legend").asText(DashboardQuery.legend(only, title)), only);
        }
        source.path("queries").forEachEntry((legend, text) -> written.put(legend, text.asText()));
        List<Meters.Meter> meters =
                written.values().stream().flatMap(query::meters).distinct().toList();
        String description = source.path("description")
                .asText(meters.isEmpty() ? "" : meters.getFirst().help());
        Map<String, String> queries = new LinkedHashMap<>();
        boolean rare = source.path("rare").asBoolean();
        written.forEach((legend, text) ->
                queries.put(legend, rare ? "(" + query.scoped(text) + ") or vector(0)" : query.scoped(text)));
        List<String> alerts =
                source.path("alerts").valueStream().map(JsonNode::asText).toList();
        return new Panel(id, title, description, source.path("unit").asText(), meters, queries, alerts);
    }
}
