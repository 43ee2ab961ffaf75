package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metrics of a running program, as its page has them.
 *
 * @param text in Prometheus' text format
 */
record ScrapedMetrics(String text) {
    private static final Pattern TYPE = Pattern.compile("^# TYPE (kvstore_\\w+) (\\w+)$", Pattern.MULTILINE);
    private static final Pattern LISTED = Pattern.compile("^\\| `(kvstore_\\w+)` \\| (\\w+) \\|", Pattern.MULTILINE);

    /** Reads it now. */
    static ScrapedMetrics of(URI url) throws IOException {
        try (var body = url.toURL().openStream()) {
            return new ScrapedMetrics(new String(body.readAllBytes(), UTF_8));
        }
    }

    /** Each of our own is in the handbook with its type. */
    void assertListed() throws IOException {
        String handbook = Files.readString(Home.current().path().resolve("docs/operations/metrics.md"));
        Set<String> listed = namesAndTypes(LISTED, handbook);
        // Micrometer adds to each histogram a gauge of the largest value.
        Set<String> largest = listed.stream()
                .filter(metric -> metric.endsWith(" histogram"))
                .map(metric -> metric.replace(" histogram", "_max gauge"))
                .collect(Collectors.toSet());
        listed.addAll(largest);
        assertThat(namesAndTypes(TYPE, text)).hasSizeGreaterThan(5).isSubsetOf(listed);
    }

    private static Set<String> namesAndTypes(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult metric) -> metric.group(1) + " " + metric.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Prometheus' own tool finds nothing to say. */
    void assertSound(Path folder) throws IOException, InterruptedException {
        assumeTrue(hasPromtool(), "missing: promtool, of the package prometheus");
        Path page = Files.writeString(Files.createTempFile(folder, "page", ".txt"), text);
        Path said = Files.createTempFile(folder, "promtool", ".out");
        Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                .redirectInput(page.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        int exit = promtool.waitFor();
        assertThat(Files.readString(said)).isEmpty();
        assertThat(exit).isZero();
    }

    private static boolean hasPromtool() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    }
}
