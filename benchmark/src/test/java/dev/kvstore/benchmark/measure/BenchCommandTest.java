package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.launcher.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@link BenchCommand}: where a report goes. */
class BenchCommandTest {
    /** The report of a command. */
    private record CountedReport(int reads, boolean interrupted) implements BenchReport {
        @Override
        public String text() {
            return "reads   bytes\n%5d     512\n".formatted(reads);
        }

        @Override
        public ReportPage page(String command) {
            return new ReportPage(command, "", List.of(new ReportPage.Section("Figures", text(), List.of())));
        }

        @Override
        public boolean holds() {
            return !interrupted;
        }
    }

    /** Measures nothing, and may be stopped meanwhile. */
    @Command(name = "count")
    private static final class Count extends BenchCommand {
        private boolean stopped;
        private boolean measured;

        @Override
        protected void check() {}

        @Override
        protected BenchReport measure(BenchProgress progress) {
            measured = true;
            if (stopped) {
                Thread.currentThread().interrupt();
            }
            return new CountedReport(7, stopped);
        }
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Count count = new Count();
    private final CommandLine command =
            CommandLines.of(count).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    @TempDir
    Path folder;

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void writesItsReportInEveryFormThatIsAskedFor() throws Exception {
        Path json = folder.resolve("figures.json");
        Path runs = folder.resolve("runs");

        assertThat(command.execute("--json", json.toString(), "--report", runs.toString()))
                .isZero();

        assertThat(out.toString()).isEqualTo("reads   bytes\n    7     512\n");
        assertThat(read(json).at("/reads").asInt()).isEqualTo(7);
        assertThat(read(runs.resolve("report.json")).at("/report")).isEqualTo(read(json));
        assertThat(runs.resolve("report.md"))
                .content()
                .startsWith("# count\n")
                .contains("```\nreads   bytes\n    7     512\n```");
        assertThat(runs.resolve("report.html")).content().contains("<pre>reads   bytes\n    7     512</pre>");
        assertThat(err.toString()).contains("the report is in " + runs);
    }

    @Test
    void saysWhatItWasStartedWithAndNamesNoFolderOfTheMachine() throws Exception {
        command.execute("--report", folder.resolve("runs").toString());

        JsonNode environment = read(folder.resolve("runs/report.json")).at("/environment");
        assertThat(environment.at("/command").asText()).isEqualTo("count --report .../runs");
        assertThat(environment.toString()).doesNotContain(folder.toString());
    }

    @Test
    void keepsWhatItHasWhenItIsStopped() throws Exception {
        count.stopped = true;
        Path json = folder.resolve("figures.json");
        Path runs = folder.resolve("runs");

        assertThat(command.execute("--json", json.toString(), "--report", runs.toString()))
                .isEqualTo(1);

        assertThat(read(json).at("/interrupted").asBoolean()).isTrue();
        assertThat(read(runs.resolve("report.json")).at("/holds").asBoolean()).isFalse();
        assertThat(runs.resolve("report.html")).content().contains("it was stopped before its end");
    }

    @Test
    void measuresNothingIfTheReportCannotBeWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "another's");

        assertThat(command.execute("--report", file.toString())).isEqualTo(2);

        assertThat(err.toString().lines())
                .containsExactly(
                        "count: --report: " + file + " is not a folder", "count --help-all explains every flag");
        assertThat(count.measured).isFalse();
    }

    private static JsonNode read(Path file) throws Exception {
        return new ObjectMapper().readTree(file.toFile());
    }
}
