package dev.kvstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where, when and how a run was made, with the names that the JSON has. Names no machine, no user and no absolute path.
 *
 * @param command as {@link CommandText} shows it
 * @param started in UTC, such as {@code 2026-11-22T07:00:00Z}
 * @param version of KV Store
 * @param commit of its checkout; null where that is not known
 */
public record RunEnvironment(
        String command,
        String started,
        String ended,
        double seconds,
        String version,
        @Nullable String commit,
        String java,
        MachineFacts machine,
        Noise noise) {
    private static final double GIB = 1 << 30;
    private static final double MINUTE = 60;

    Figure.Table table() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Command", command));
        rows.add(List.of("Begun", started + ", over after " + duration()));
        rows.add(List.of("Version", commit == null ? version : version + ", commit " + commit));
        rows.add(List.of("Java", java));
        rows.add(List.of(
                "Machine",
                String.format(
                        Locale.ROOT,
                        "%s, %d processors, %.1f GiB of memory",
                        machine.processor(),
                        machine.processors(),
                        machine.memoryBytes() / GIB)));
        rows.add(List.of("System", machine.system() + ", " + machine.architecture()));
        rows.add(List.of("Load", load()));
        rows.add(List.of("Noise", noise.sentence()));
        return new Figure.Table("", List.of("", ""), rows);
    }

    private String duration() {
        return seconds < MINUTE
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : String.format(Locale.ROOT, "%.1f min", seconds / MINUTE);
    }

    private String load() {
        return noise.loadBefore() < 0
                ? "not told by the system"
                : String.format(
                        Locale.ROOT,
                        "%.2f before the run, %.2f at its end with its own threads (average over a minute)",
                        noise.loadBefore(),
                        noise.loadAfter());
    }
}
