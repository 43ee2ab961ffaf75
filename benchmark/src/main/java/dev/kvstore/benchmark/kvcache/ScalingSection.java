package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.List;

/**
 * The users that an autoscaler has found.
 *
 * @param results the original's JSON
 */
record ScalingSection(JsonNode results) {
    private static final List<Column<JsonNode>> USERS = List.of(
            JsonRow.fact("users at the beginning", "", 1, "/initial_users"),
            JsonRow.fact("users at the end", "", 1, "/final_users"),
            JsonRow.fact("changes", "", 1, "/total_scale_events"));
    private static final List<Column<JsonRow>> CHANGES = List.of(
            JsonRow.value("change", "/action"),
            JsonRow.number("users", "", "/users"),
            JsonRow.number("saturation", "", "/saturation_level"),
            JsonRow.number("read p95", "ms", "/read_latency_p95_ms"),
            JsonRow.number("write p95", "ms", "/write_latency_p95_ms"),
            JsonRow.number("tokens/s", "", "/throughput_tokens_per_sec"));

    private JsonNode summary() {
        return results.path("summary");
    }

    private JsonNode scaling() {
        return summary().path("autoscaling_summary");
    }

    /** Whether there was an autoscaler, and an answer to count. */
    boolean isThere() {
        return scaling().isObject();
    }

    /** The answer of a run in a sentence or two, behind a blank; empty without an autoscaler. */
    static String answer(JsonNode summary) {
        JsonNode scaling = summary.path("autoscaling_summary");
        if (!scaling.isObject()) {
            return "";
        }
        boolean peak = scaling.has("peak_user_count");
        boolean found = summary.path("autoscaling_stats")
                .valueStream()
                .anyMatch(change -> change.path("action").asText().equals(peak ? "stop" : "scale_down"));
        String onPaper = summary.at("/kvstore/mode").asText().equals("compat") ? ", on paper" : "";
        String capacity = peak
                ? Numbers.format(
                        " Peak capacity: %d users%s, %.1f tokens/s.",
                        scaling.path("peak_user_count").asInt(),
                        onPaper,
                        scaling.path("peak_throughput_tokens_per_sec").asDouble())
                : Numbers.format(
                        " Capacity: %d users%s.", scaling.path("final_users").asInt(), onPaper);
        return found ? capacity : capacity + " It may be more: the time was up before storage had too many.";
    }

    Section section() {
        List<JsonRow> changes = summary()
                .path("autoscaling_stats")
                .valueStream()
                .map(change -> new JsonRow("", change))
                .toList();
        List<Figure.FigurePoint> points = results.path("throughput_timeline")
                .valueStream()
                .map(point -> Figure.FigurePoint.of(
                        point.path("timestamp").asDouble(),
                        point.path("throughput_tokens_per_sec").asDouble()))
                .toList();
        List<Figure> figures = List.of(
                Figure.Table.facts("", USERS, scaling()),
                new Figure.Lines(
                        "Tokens a second in each interval",
                        new Figure.Axis("time", "s", false),
                        new Figure.Axis("answers", "tokens/s", false),
                        List.of(new Figure.FigureLine("tokens/s", points))),
                Figure.Table.of("Changes", CHANGES, changes));
        return new Section("Users by the autoscaler", "", figures);
    }
}
