package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.command.Launcher;
import dev.kvstore.launcher.stack.StackFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code kv top} of a running stack. */
class TopIT {
    @Test
    void aTableHasARowForEachDataPlaneOfTheFleet() {
        KvUp up = KvUp.shared();

        Kv.KvResult result = top(
                "--once",
                "--url",
                up.restUrl(),
                "--token-file",
                StackFolder.adminToken(up.data()).toString());

        assertThat(result.exitCode()).as(result.err()).isZero();
        List<String> lines = result.out().lines().toList();
        assertThat(lines.getFirst()).startsWith("data plane").contains("lookups/s", "hits", "p99 ms");
        // Other tests may have declared further processes, of which nothing can be read.
        assertThat(up.endpoints())
                .allSatisfy(endpoint -> assertThat(lines)
                        .anySatisfy(line -> assertThat(line).matches(Pattern.quote(endpoint) + " +\\d+ .*")));
    }

    @Test
    void pagesOfMetricsMayBeNamedInPlaceOfAFleet() {
        String page = KvUp.shared().report().path("metrics").path(0).asText();

        assertThat(top("--once", "--metrics", page).out()).hasLineCount(2);
    }

    @Test
    void whereNobodyAnswersItSaysSo() {
        Kv.KvResult result = top("--once", "--metrics", "http://127.0.0.1:1/q/metrics");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("no data plane's metrics can be read", "http://127.0.0.1:1/q/metrics");
    }

    private static Kv.KvResult top(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] arguments = Stream.concat(Stream.of("top"), Stream.of(words)).toArray(String[]::new);
        int exitCode = Launcher.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Kv.KvResult(exitCode, out.toString(), err.toString());
    }
}
