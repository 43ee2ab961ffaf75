package dev.kvstore.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code kv demo}: what is wrong with a command is said in one sentence, before a stack is started. */
class DemoTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine demo =
            Demo.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--text FOLDER/missing | --text: FOLDER/missing: no such file",
                "--text FOLDER | --text: FOLDER is a folder; name a file",
                "--text FOLDER/text --conversations 0 | --conversations: must be 1 to 1000, not 0",
                "--text FOLDER/text --conversations 1001 | --conversations: must be 1 to 1000, not 1001",
                "--text FOLDER/text --block-bytes 0 | --block-bytes: must be 1 to 67108864, not 0",
                "--text FOLDER/text --json FOLDER | --json: FOLDER is a folder; name a file",
                "--client perl | Invalid value for option '--client': must be java or python, not 'perl'",
                "--storage tape | Invalid value for option '--storage': must be filesystem or azurite, not 'tape'",
                "--conversations many | Invalid value for option '--conversations': 'many' is not an int",
            })
    void refusesInOneSentence(String flags, String sentence) throws Exception {
        Files.writeString(folder.resolve("text"), "A text.");

        int exitCode = demo.execute(flags.replace("FOLDER", folder.toString()).split(" "));

        assertThat(err.toString().lines())
                .containsExactly(
                        "kv demo: " + sentence.replace("FOLDER", folder.toString()),
                        "kv demo --help-all explains every flag");
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void saysItsVersion() {
        assertThat(demo.execute("--version")).isZero();

        assertThat(out.toString()).startsWith("KV Store ");
    }

    @Test
    void explainsTheRangesOfItsFlags() {
        assertThat(demo.execute("--help")).isZero();

        assertThat(out.toString()).contains("1 to 1000");
    }
}
