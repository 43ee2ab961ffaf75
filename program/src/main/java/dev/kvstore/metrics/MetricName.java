package dev.kvstore.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for names: those of Prometheus that {@code promtool check metrics} checks, and those of
 * docs/operations/metrics.md. Stateless.
 */
final class MetricName {
    private static final Pattern NAME = Pattern.compile("kvstore(_[a-z][a-z0-9]*)+");
    private static final Pattern LABEL = Pattern.compile("[a-z]+(_[a-z]+)*");
    private static final List<String> UNITS = List.of("seconds", "bytes");

    /** Words that no name may have: units that are no base units, short forms of units, and types. */
    private static final Set<String> FORBIDDEN = Set.of(("s sec secs second ms millis milliseconds us micros ns nanos"
                    + " nanoseconds minutes hours days b byte bits kb mb gb kib mib gib percent pct counter gauge histogram"
                    + " summary count sum bucket num number")
            .split(" "));

    private static final Set<String> RESERVED_LABELS = Set.of("le", "quantile", "job", "instance", "name", "type");

    private MetricName() {}

    /** The flaws of a metric's name, help and labels; empty if there are none. */
    static List<String> flaws(Metric.Type type, String name, String help, List<String> labels) {
        List<String> flaws = new ArrayList<>();
        require(flaws, NAME.matcher(name).matches(), "must be kvstore and further words in snake case");
        List<String> words = List.of(name.split("_", -1));
        words.stream()
                .filter(FORBIDDEN::contains)
                .forEach(word -> flaws.add("\"" + word + "\" is no base unit, or has no place in a name"));
        require(
                flaws,
                (type == Metric.Type.COUNTER) == name.endsWith("_total")
                        && words.stream().filter("total"::equals).count() <= 1,
                "\"total\" must end counters, and be nowhere else");
        List<String> inner = words.subList(0, words.size() - (type == Metric.Type.COUNTER ? 2 : 1));
        require(flaws, UNITS.stream().noneMatch(inner::contains), "the unit must come last, before \"total\"");
        require(flaws, help.endsWith(".") && help.length() > 20, "needs a help text, which ends with a full stop");
        require(flaws, !help.contains("\"") && !help.contains("\\") && !help.contains("\n"), "the help text is plain");
        for (String label : labels) {
            require(
                    flaws,
                    LABEL.matcher(label).matches() && !RESERVED_LABELS.contains(label),
                    "no label may be called \"" + label + "\"");
        }
        return flaws;
    }

    private static void require(List<String> flaws, boolean kept, String rule) {
        if (!kept) {
            flaws.add(rule);
        }
    }

    /** The base unit at the end of a name; null for a count. */
    static @Nullable String unit(String name) {
        String stem = name.endsWith("_total") ? name.substring(0, name.length() - "_total".length()) : name;
        return UNITS.stream()
                .filter(unit -> stem.endsWith("_" + unit))
                .findAny()
                .orElse(null);
    }

    /** The name for Micrometer, which adds {@code total} to counters and the unit to timers. */
    static String id(Metric.Type type, String name) {
        String ending = type == Metric.Type.COUNTER ? "_total" : type == Metric.Type.HISTOGRAM ? "_seconds" : "";
        String stem = name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
        return stem.replace('_', '.');
    }
}
