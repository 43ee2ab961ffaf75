package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The alert rules of deploy/observability: they fire when they should, on metrics that there are, with texts that lead
 * on.
 */
class AlertRulesIT {
    private static final Path HOME = Home.current().path();
    private static final Path FOLDER = HOME.resolve("deploy/observability");
    private static final List<String> FILES = List.of("kvstore", "kvstore.slo");
    private static final Pattern OF_KVSTORE = Pattern.compile("\\bkvstore_\\w+");
    private static final Pattern FIRING = Pattern.compile("alertname=\"(\\w+)\"");
    private static final Pattern LABELLED =
            Pattern.compile("\\bkvstore_(?:\\w+)\\{[^}]*\\b(?:reason|outcome|state|error)=~?\"([^\"]+)\"");
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\{(.*?)}}");
    /** Azure Monitor takes no more in a group. */
    private static final int MOST_RULES = 20;

    @TempDir
    Path folder;

    private final List<JsonNode> groups = new ArrayList<>();
    private String page = "";
    private final Map<String, Set<String>> cases = new TreeMap<>();

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(HOME.resolve("docs/operations/alerts.md"));
        for (String file : FILES) {
            yaml(file + ".rules.yaml").path("groups").forEach(groups::add);
            for (JsonNode one : yaml(file + ".rules.test.yaml").path("tests")) {
                FIRING.matcher(one.findValuesAsText("labels")
                                + one.findValuesAsText("exp_labels").toString())
                        .results()
                        .forEach(found -> cases.computeIfAbsent(found.group(1), _ -> new TreeSet<>())
                                .add(one.path("name").asText()));
            }
        }
    }

    private static JsonNode yaml(String name) throws IOException {
        return new ObjectMapper(new YAMLFactory()).readTree(FOLDER.resolve(name).toFile());
    }

    @Test
    void eachRuleFiresWhenItShouldAndOnlyThen() throws Exception {
        assumeTrue(GoTool.isOnPath("promtool"), "missing: promtool, of the package prometheus");

        for (String file : FILES) {
            assertThat(promtool(
                            "check",
                            "rules",
                            FOLDER.resolve(file + ".rules.yaml").toString()))
                    .contains("SUCCESS");
            assertThat(promtool(
                            "test",
                            "rules",
                            FOLDER.resolve(file + ".rules.test.yaml").toString()))
                    .contains("SUCCESS")
                    .doesNotContain("FAILED");
        }
    }

    @Test
    void eachRuleIsSeenFiringInACase() {
        assertThat(cases.keySet()).containsExactlyInAnyOrderElementsOf(names());
    }

    @Test
    void eachMetricAndEachValueOfALabelIsInTheHandbook() throws IOException {
        String handbook = Files.readString(HOME.resolve("docs/operations/metrics.md"));

        for (JsonNode rule : everyRule()) {
            String expression = rule.path("expr").asText();
            assertThat(OF_KVSTORE
                            .matcher(expression)
                            .results()
                            .map(MatchResult::group)
                            .map(AlertRulesIT::declared))
                    .as("metrics of %s", rule.path("alert").asText())
                    .allSatisfy(metric -> assertThat(handbook).contains("| `" + metric + "` |"));
            LABELLED.matcher(expression)
                    .results()
                    .flatMap(found -> Pattern.compile("\\|").splitAsStream(found.group(1)))
                    .filter(value -> value.matches("\\w+"))
                    .forEach(value -> assertThat(handbook)
                            .as(
                                    "%s has the value %s of a label",
                                    rule.path("alert").asText(), value)
                            .containsPattern("\\b" + value + "\\b"));
        }
    }

    @Test
    void eachAlertHasTextsThatAzureMonitorUnderstandsToo() {
        for (JsonNode rule : rules()) {
            String name = rule.path("alert").asText();
            assertThat(rule.path("labels").path("severity").asText()).as(name).isIn("critical", "warning");
            for (String text : List.of("summary", "description", "runbook")) {
                assertThat(rule.path("annotations").path(text).asText())
                        .as("%s of %s", text, name)
                        .isNotBlank();
            }
            assertThat(TEMPLATE.matcher(rule.path("annotations").toString()).results())
                    .as("templates of %s", name)
                    .allSatisfy(found -> assertThat(found.group(1).strip()).matches("\\$value|\\$labels\\.\\w+"));
        }
    }

    @Test
    void eachAlertHasASectionInTheRunbook() {
        Set<String> sections = Pattern.compile("^## (\\w+)$", Pattern.MULTILINE)
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(sections).containsExactlyInAnyOrderElementsOf(names());
        for (JsonNode rule : rules()) {
            String name = rule.path("alert").asText();
            assertThat(rule.path("annotations").path("runbook").asText())
                    .isEqualTo("docs/operations/alerts.md#" + name.toLowerCase(Locale.ROOT));
            String severity = rule.path("labels").path("severity").asText();
            assertThat(page)
                    .as("the section of %s begins with its severity", name)
                    .containsIgnoringCase("## " + name + "\n\n" + severity + ".");
        }
    }

    @Test
    void eachSectionSaysWhatToLookAtWhatToDoWhomToTellAndHowItWasCaused() throws IOException {
        Dashboards dashboards = Dashboards.read();
        for (String name : names()) {
            String section = page.substring(page.indexOf("## " + name + "\n"));
            section = section.split("\n## |\n# ", -1)[0].replace('\n', ' ');
            String place = dashboards.place(name);

            assertThat(section)
                    .as(name)
                    .containsSubsequence(
                            "**First look**: " + place, "**Fix**:", "**Escalate** ", "**Caused in the test** by")
                    .satisfies(text -> assertThat(cases.get(name)).anyMatch(one -> text.contains('"' + one + '"')));
        }
    }

    @Test
    void groupsAreSmallEnoughForAzureMonitor() {
        assertThat(groups)
                .allSatisfy(group -> assertThat(group.path("rules").size())
                        .as(group.path("name").asText())
                        .isBetween(1, MOST_RULES));
    }

    /** As the handbook names it: a histogram has several series. */
    private static String declared(String series) {
        return series.replaceAll("_(bucket|count|sum|max)$", "");
    }

    private List<String> names() {
        return rules().stream().map(rule -> rule.path("alert").asText()).toList();
    }

    /** Those of alerts. */
    private List<JsonNode> rules() {
        List<JsonNode> rules =
                everyRule().stream().filter(rule -> rule.has("alert")).toList();
        assertThat(rules).hasSizeGreaterThan(20);
        return rules;
    }

    /** Those that record, too. */
    private List<JsonNode> everyRule() {
        return groups.stream()
                .flatMap(group -> group.path("rules").valueStream())
                .toList();
    }

    private String promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        return GoTool.run(folder, Map.of(), command);
    }
}
