package dev.kvstore.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code kv up}: what is wrong with a command is said in one sentence, before anything is started. */
class LauncherTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine kv =
            Launcher.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--no-such-flag | Unknown option: '--no-such-flag'",
                "--port x | Invalid value for option '--port': 'x' is not an int",
                "--port 65000 | --port: must be 0 to 64534, not 65000",
                "--rest-port 65536 | --rest-port: must be 0 to 65535, not 65536",
                "--control-port -1 | --control-port: must be 0 to 65535, not -1",
                "--rest-port 7000 --control-port 7000 | --control-port: must differ from --rest-port",
                "--data-planes 0 | --data-planes: must be 1 to 64 in all regions together, not 0",
                "--data-planes 65 | --data-planes: must be 1 to 64 in all regions together, not 65",
                "--regions 7 | --regions: must be 1 to 6, not 7",
                "--round-trip -1 | --round-trip: must be 0 to 10000, not -1",
                "--added-storage-latency 20ms | --added-storage-latency: cannot be \"20ms\"; give one or both of get and put, each"
                        + " 0ms to 60s, as in get=20ms,put=40ms",
                "--storage foo | Invalid value for option '--storage': must be filesystem or azurite, not 'foo'",
                "--data | Missing required parameter for option '--data' (DIR)",
                "--data= | --data: must name a folder",
                "--data FOLDER/file | --data: FOLDER/file is not a folder",
                "--regions 2 --data FOLDER/d --json FOLDER | --json: FOLDER is a folder; name a file",
                "--data FOLDER/d --json FOLDER | --json: FOLDER is a folder; name a file",
                "--data FOLDER/d --json FOLDER/file/x | --json: FOLDER/file is not a folder",
            })
    void refusesInOneSentence(String flags, String sentence) throws Exception {
        Files.writeString(folder.resolve("file"), "");

        int exitCode =
                kv.execute(("up " + flags).replace("FOLDER", folder.toString()).split(" "));

        assertThat(err.toString().lines())
                .containsExactly(
                        "kv up: " + sentence.replace("FOLDER", folder.toString()),
                        "kv up --help-all explains every flag");
        assertThat(exitCode).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(folder).isDirectoryContaining("glob:**/file").isDirectoryNotContaining("glob:**/d");
    }

    @Test
    void aFlagUnderItsOldNameCountsAndIsWarnedOf() {
        assertThat(CommandLines.execute(kv, new String[] {"up", "--storage-latency=20ms"}))
                .isEqualTo(2);

        assertThat(err.toString().lines().toList())
                .hasSize(3)
                .startsWith(
                        "kv up: --storage-latency is now called --added-storage-latency; version 0.3 will refuse the old"
                                + " name")
                .element(1)
                .asString()
                .startsWith("kv up: --added-storage-latency: cannot be \"20ms\"");
    }

    @Test
    void saysItsVersion() {
        assertThat(kv.execute("up", "--version")).isZero();

        assertThat(out.toString()).matches("KV Store \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    }

    @Test
    void explainsTheRangesOfItsFlags() {
        assertThat(kv.execute("up", "--help")).isZero();

        assertThat(out.toString())
                .contains("up to 64", "1 to 6", "filesystem, azurite")
                .doesNotContain("FILESYSTEM");
    }

    @ParameterizedTest
    @CsvSource({"azurite", "AZURITE"})
    void takesNamesInEitherCase(String name) {
        assertThat(kv.execute("up", "--storage", name, "--data-planes", "0")).isEqualTo(2);

        assertThat(err.toString()).contains("--data-planes");
    }
}
