package dev.kvstore.endtoend;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The meters of a plane, by the tables of docs/operations/metrics.md, which tests hold against the code; those of
 * engines by the sources of {@code kvstore-vllm}. Immutable.
 */
record Meters(Plane plane, List<Meter> all) {
    private static final Path HOME = Home.current().path();
    private static final Pattern ROW =
            Pattern.compile("^\\| `(\\w+)` \\| (\\w+) \\| \\w* \\| (.*?) \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern PYTHON = Pattern.compile(
            "\"(\\w+)\": \\(?\\s*(?:\"([^\"]*)\"[,\\s]*)" + "(?:\"([^\"]*)\"[,\\s]*)?(?:\"([^\"]*)\"[,\\s]*)?");

    /** What has meters. */
    enum Plane {
        DATA,
        CONTROL,
        ENGINE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One of them.
     *
     * @param type as Prometheus names it
     * @param labels its own, as the table has them
     */
    record Meter(String name, String type, String labels, String help) {
        /** Whether a series of this name belongs to it. */
        boolean has(String series) {
            return type.equals("histogram") ? series.matches(name + "_(bucket|count|sum|max)") : series.equals(name);
        }
    }

    static Meters of(Plane plane) throws IOException {
        return new Meters(plane, plane == Plane.ENGINE ? ofEngines() : ofTable(plane));
    }

    private static List<Meter> ofTable(Plane plane) throws IOException {
        String page = Files.readString(HOME.resolve("docs/operations/metrics.md"));
        String title = "metrics of a " + plane + " plane -->";
        String table = page.substring(page.indexOf("generated: " + title), page.indexOf("end: " + title));
        return ROW.matcher(table)
                .results()
                .map(row -> new Meter(row.group(1), row.group(2), row.group(3), row.group(4)))
                .toList();
    }

    private static List<Meter> ofEngines() throws IOException {
        Path sources = HOME.resolve("client-python/kvstore-vllm/src/kvstore_vllm");
        String own = Files.readString(sources.resolve("metrics.py"));
        String agent = Files.readString(sources.resolve("agent_metrics.py"));
        List<Meter> meters = new ArrayList<>();
        python(own, "COUNTERS").map(one -> counter("", one, 1)).forEach(meters::add);
        python(own, "GAUGES").map(one -> gauge("", one)).forEach(meters::add);
        python(own, "OBSERVED")
                .map(one -> new Meter("vllm:kvstore_" + one.group(1), "histogram", "", one.group(2)))
                .forEach(meters::add);
        python(agent, "_COUNTERS").map(one -> counter("agent_", one, 2)).forEach(meters::add);
        python(agent, "_GAUGES").map(one -> gauge("agent_", one)).forEach(meters::add);
        return meters;
    }

    /** The entries of a dictionary. */
    private static Stream<MatchResult> python(String source, String name) {
        int from = source.indexOf("\n" + name + ": ");
        String begun = source.substring(from);
        return PYTHON.matcher(begun.substring(0, begun.indexOf('}'))).results();
    }

    /** @param name the group that has the name, before those of the help and the label */
    private static Meter counter(String prefix, MatchResult entry, int name) {
        String label = entry.group(name + 2);
        return new Meter(
                "vllm:kvstore_" + prefix + entry.group(name) + "_total",
                "counter",
                label == null ? "" : label,
                entry.group(name + 1));
    }

    private static Meter gauge(String prefix, MatchResult entry) {
        String label = entry.group(3);
        return new Meter(
                "vllm:kvstore_" + prefix + entry.group(1), "gauge", label == null ? "" : label, entry.group(2));
    }
}
