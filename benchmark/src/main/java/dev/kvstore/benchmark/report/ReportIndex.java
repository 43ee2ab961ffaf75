package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.IoReason;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A page that links the reports in the folders of a folder, the latest first. */
final class ReportIndex {
    static final String FILE = "index.html";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** A report, as its JSON tells of it. */
    private record ReportLink(String folder, JsonNode report) {
        String begun() {
            return report.path("environment").path("started").asText();
        }
    }

    private final List<ReportLink> entries;

    private ReportIndex(List<ReportLink> entries) {
        this.entries = entries;
    }

    /**
     * @param skipped is told of each folder that has a report which cannot be read, and why
     */
    static ReportIndex of(Path folder, Consumer<String> skipped) throws IOException {
        List<Path> files;
        try (Stream<Path> folders = Files.list(folder)) {
            files = folders.map(run -> run.resolve(ReportFolder.JSON))
                    .filter(Files::isRegularFile)
                    .toList();
        }
        List<ReportLink> entries = new ArrayList<>();
        for (Path file : files) {
            String name = file.getName(file.getNameCount() - 2).toString();
            try {
                entries.add(new ReportLink(name, MAPPER.readTree(file.toFile())));
            } catch (JsonProcessingException e) {
                skipped.accept(
                        name + " is left out, its " + ReportFolder.JSON + " is no JSON: " + e.getOriginalMessage());
            } catch (IOException e) {
                skipped.accept(name + " is left out, its " + ReportFolder.JSON + " cannot be read: " + IoReason.of(e));
            }
        }
        entries.sort(Comparator.comparing(ReportLink::begun).reversed().thenComparing(ReportLink::folder));
        return new ReportIndex(List.copyOf(entries));
    }

    int size() {
        return entries.size();
    }

    String html() {
        StringBuilder html = new StringBuilder("<header>\n")
                .append(Markup.bar("KV Store benchmarks", null))
                .append(
                        "<h1>Runs</h1>\n</header>\n<main>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Runs\">\n")
                .append(
                        "<table>\n<thead><tr><th>Run</th><th>Begun (UTC)</th><th>Held</th><th>Machine</th><th>Version</th>")
                .append("<th>Command</th></tr></thead>\n<tbody>\n");
        entries.forEach(entry -> row(html, entry));
        html.append(
                "</tbody>\n</table>\n</div>\n</main>\n<script type=\"application/json\" id=\"charts\">[]</script>\n");
        return Markup.document("Runs \u00b7 KV Store", html.toString());
    }

    private static void row(StringBuilder html, ReportLink entry) {
        JsonNode environment = entry.report().path("environment");
        String address =
                URLEncoder.encode(entry.folder(), StandardCharsets.UTF_8).replace("+", "%20");
        html.append("<tr><td><a href=\"./")
                .append(address)
                .append('/')
                .append(ReportFolder.HTML)
                .append("\">");
        html.append(Markup.escape(entry.report().path("title").asText(entry.folder())))
                .append("</a></td>");
        cell(html, entry.begun().replace('T', ' ').replace("Z", ""));
        cell(html, entry.report().path("holds").asBoolean() ? "yes" : "no");
        JsonNode machine = environment.path("machine");
        boolean quiet = environment.path("noise").path("quiet").asBoolean(true);
        cell(
                html,
                machine.path("processor").asText() + ", "
                        + machine.path("processors").asText() + " processors" + (quiet ? "" : ", not quiet"));
        cell(html, environment.path("commit").asText(environment.path("version").asText()));
        cell(html, environment.path("command").asText());
        html.append("</tr>\n");
    }

    private static void cell(StringBuilder html, String text) {
        html.append("<td>").append(Markup.escape(text)).append("</td>");
    }
}
