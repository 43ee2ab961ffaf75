package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.kvstore.endtoend.Dashboards.Dashboard;
import dev.kvstore.endtoend.Dashboards.Panel;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboards of the chart are those of deploy/observability/dashboards.yaml, on meters that there are. With the
 * system property {@code docs.write} they are rewritten.
 */
class DashboardsIT {
    private static final Path HOME = Home.current().path();
    private static final Path FOLDER = HOME.resolve("deploy/helm/kvstore/dashboards");

    /** What is recorded has no process. */
    private static final String RECORDED = """
            exclusions:
              target-job-rule: {entries: [{dashboard: KV Store / Fleet, panel: "Errors, by what is allowed"}, \
              {dashboard: KV Store / Fleet, panel: Left of the errors of 30 days}]}
              target-instance-rule: {entries: [{dashboard: KV Store / Fleet, panel: "Errors, by what is allowed"}, \
              {dashboard: KV Store / Fleet, panel: Left of the errors of 30 days}]}
            """;

    @TempDir
    Path folder;

    private static Dashboards dashboards = new Dashboards(List.of());

    @BeforeAll
    static void read() throws IOException {
        dashboards = Dashboards.read();
    }

    @Test
    void eachFileIsMadeOfTheDescription() throws IOException {
        Map<String, String> made = new TreeMap<>();
        for (Dashboard dashboard : dashboards.all()) {
            made.put(dashboard.uid() + ".json", GrafanaJson.of(dashboard));
        }
        if (Boolean.getBoolean("docs.write")) {
            for (var file : made.entrySet()) {
                Files.writeString(Files.createDirectories(FOLDER).resolve(file.getKey()), file.getValue());
            }
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(made.keySet());
        }
        for (var file : made.entrySet()) {
            assertThat(FOLDER.resolve(file.getKey()))
                    .as("run this test with -Ddocs.write")
                    .hasContent(file.getValue());
        }
    }

    @Test
    void eachPanelHasTitleUnitDescriptionAndQuery() {
        for (Dashboard dashboard : dashboards.all()) {
            assertThat(dashboard.panels()).hasSizeGreaterThan(5).allSatisfy(panel -> {
                assertThat(panel.title()).isNotBlank();
                assertThat(panel.unit()).as(panel.title()).isNotBlank();
                assertThat(panel.description()).as(panel.title()).endsWith(".");
                assertThat(panel.queries()).as(panel.title()).isNotEmpty();
            });
        }
    }

    @Test
    @Tag("full")
    void grafanasLinterHasNothingToSay() throws Exception {
        Path linter = GoTool.DASHBOARD_LINTER.path();
        Path exceptions = Files.writeString(folder.resolve("lint.yaml"), RECORDED);
        for (Dashboard dashboard : dashboards.all()) {
            Path file = FOLDER.resolve(dashboard.uid() + ".json");

            assertThat(GoTool.run(
                            folder,
                            Map.of(),
                            List.of(
                                    linter.toString(),
                                    "lint",
                                    "--strict",
                                    "-c",
                                    exceptions.toString(),
                                    file.toString())))
                    .doesNotContain("exit code", "❌", "⚠️");
        }
    }

    @Test
    void eachAlertLeadsToThePanelThatShowsItsMeters() throws IOException {
        Map<String, String> places = new TreeMap<>();
        Map<String, String> said = new TreeMap<>();
        for (Dashboard dashboard : dashboards.all()) {
            dashboard
                    .panels()
                    .forEach(panel -> panel.alerts()
                            .forEach(alert -> assertThat(
                                            places.put(alert, "/d/" + dashboard.uid() + "?viewPanel=" + panel.id()))
                                    .as(alert)
                                    .isNull()));
        }
        for (String file : List.of("kvstore.rules.yaml", "kvstore.slo.rules.yaml")) {
            new ObjectMapper(new YAMLFactory())
                    .readTree(HOME.resolve("deploy/observability/" + file).toFile())
                    .findParents("alert")
                    .forEach(rule -> {
                        String alert = rule.path("alert").asText();
                        said.put(
                                alert,
                                rule.path("annotations").path("dashboard").asText());
                        // A panel of what is recorded, or of "up", has no meter of our own.
                        assertThat(panel(alert).meters().stream().map(Meters.Meter::name))
                                .as("the panel of %s shows a meter of its rule", alert)
                                .satisfiesAnyOf(
                                        names -> assertThat(names).isEmpty(),
                                        names -> assertThat(names)
                                                .anyMatch(rule.path("expr").asText()::contains));
                    });
        }
        assertThat(said).containsExactlyInAnyOrderEntriesOf(places);
    }

    private static Panel panel(String alert) {
        return dashboards.all().stream()
                .flatMap(Dashboard::panels)
                .filter(panel -> panel.alerts().contains(alert))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no panel of dashboards.yaml has " + alert + " among its alerts"));
    }
}
