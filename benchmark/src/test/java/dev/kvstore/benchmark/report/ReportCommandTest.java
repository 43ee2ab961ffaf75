package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code kv bench report}. */
class ReportCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine command = CommandLines.of(new ReportCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));

    @TempDir
    Path folder;

    @Test
    void linksEachRunTheLatestFirst() throws Exception {
        run("earlier", "Peers", "2026-11-21T07:00:00Z");
        run("a later \"<one>", "Sweep & more", "2026-11-22T07:00:00Z");

        assertThat(command.execute(folder.toString())).isZero();

        assertThat(out.toString()).isEqualTo(folder.resolve("index.html") + " links 2 runs" + System.lineSeparator());
        assertThat(folder.resolve("index.html"))
                .content()
                .containsSubsequence(
                        "<a href=\"./a%20later%20%22%3Cone%3E/report.html\">Sweep &amp; more</a>",
                        "<a href=\"./earlier/report.html\">Peers</a>");
    }

    @Test
    void leavesOutAReportThatCannotBeReadAndSaysSo() throws Exception {
        run("good", "Peers", "2026-11-21T07:00:00Z");
        Files.writeString(Files.createDirectory(folder.resolve("bad")).resolve("report.json"), "{");

        assertThat(command.execute(folder.toString())).isZero();

        assertThat(err.toString()).startsWith("bench: bad is left out, its report.json is no JSON: ");
        assertThat(out.toString()).contains("links 1 run");
    }

    @Test
    void refusesAFolderWithoutReports() {
        assertThat(command.execute(folder.toString())).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("report: FOLDER: no folder in " + folder
                        + " has a report.json; --report of the other commands writes one");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesWhatIsNoFolder() {
        assertThat(command.execute(folder.resolve("none").toString())).isEqualTo(2);

        assertThat(err.toString()).startsWith("report: FOLDER: " + folder.resolve("none") + " is not a folder");
    }

    private void run(String name, String title, String started) {
        RunEnvironment sample = SampleRun.environment(0);
        RunEnvironment environment = new RunEnvironment(
                sample.command(),
                started,
                started,
                1,
                sample.version(),
                sample.commit(),
                sample.java(),
                sample.machine(),
                sample.noise());
        ReportFolder.of(folder.resolve(name)).write(new ReportPage(title, "", List.of()), true, Map.of(), environment);
    }
}
