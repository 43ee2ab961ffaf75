package dev.kvstore.benchmark.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A flaw of a trace is reported with its line, before the trace is used. */
final class TraceFileTest {
    private static final String GOOD =
            "{\"timestamp\": 5, \"input_length\": 700, \"output_length\": 9, \"hash_ids\": [1, 2]}";

    @TempDir
    Path folder;

    @Test
    void readsARequestALine() throws IOException {
        List<TraceRequest> requests = requests(false, GOOD, "", GOOD.replace("[1, 2]", "[1, 4000000000]") + "\r");

        assertThat(requests).hasSize(2);
        assertThat(requests.getFirst().timestampMillis()).isEqualTo(5);
        assertThat(requests.getFirst().inputTokens()).isEqualTo(700);
        assertThat(requests.getFirst().outputTokens()).isEqualTo(9);
        assertThat(requests.getFirst().hashIds()).containsExactly(1, 2);
        assertThat(requests.getLast().hashIds()).containsExactly(1, 4_000_000_000L);
    }

    @Test
    void passesOverFieldsItDoesNotKnow() throws IOException {
        assertThat(requests(false, GOOD.replace("{", "{\"chat\": {\"timestamp\": [1]}, ")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nonsense | is no JSON: Unrecognized token 'nonsense'",
                "{\"timestamp\": 5 | is no JSON: it ends in the middle",
                "[1, 2] | is no JSON object",
                "{} {} | has no \"timestamp\"",
                "{\"input_length\": 1, \"output_length\": 1, \"hash_ids\": []} | has no \"timestamp\"",
                "{\"timestamp\": 9, \"output_length\": 1, \"hash_ids\": []} | has no \"input_length\"",
                "{\"timestamp\": 9, \"input_length\": 1, \"hash_ids\": []} | has no \"output_length\"",
                "{\"timestamp\": 9, \"input_length\": 1, \"output_length\": 1} | has no \"hash_ids\"",
                "{\"timestamp\": 9.5} | has a \"timestamp\" that is no whole number: 9.5",
                "{\"timestamp\": \"9\"} | has a \"timestamp\" that is no whole number: 9",
                "{\"timestamp\": null} | has a \"timestamp\" that is no whole number: null",
                "{\"timestamp\": -9} | has a \"timestamp\" that is not 0 to 9223372036854775807: -9",
                "{\"timestamp\": 99999999999999999999} | is no JSON: Numeric value",
                "{\"input_length\": 2147483648} | has a \"input_length\" that is not 0 to 2147483647: 2147483648",
                "{\"hash_ids\": 7} | has \"hash_ids\" that are no list",
                "{\"hash_ids\": [7, 8.5]} | has a \"hash_ids\" whose element 1 is no whole number: 8.5",
                "{\"hash_ids\": [7, [8]]} | has a \"hash_ids\" whose element 1 is no whole number: [",
                "{\"timestamp\": 4, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []} | is earlier (timestamp 4)"
                        + " than one before it (5): sort the file by timestamp",
            })
    void namesTheLineThatIsNoRequest(String line, String flaw) throws IOException {
        Path file = file(GOOD, GOOD, line, GOOD);

        assertThatThrownBy(() -> Survey.of(new TraceFile(file, false), 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--trace: lines that are no requests: 1;")
                .hasMessageContaining("--skip-broken")
                .hasMessageContaining(file + ": line 3 " + flaw);
    }

    @Test
    void aSecondObjectOnALineIsNamed() throws IOException {
        Path file = file(GOOD + GOOD);

        assertThatThrownBy(() -> Survey.of(new TraceFile(file, false), 100))
                .hasMessageContaining("line 1 goes on behind its JSON object");
    }

    @Test
    void aFileWithoutLineEndsIsNotHeldInMemory() throws IOException {
        Path file = file(GOOD, "[" + "1,".repeat(LineReader.MOST_BYTES) + "1]", GOOD);

        assertThatThrownBy(() -> Survey.of(new TraceFile(file, false), 100))
                .hasMessageContaining("line 2 is longer than 1048576 bytes: each request needs a line of its own");
    }

    @Test
    void bytesThatAreNoTextAreNamed() throws IOException {
        Path file = folder.resolve("binary");
        Files.write(file, new byte[] {0, 0, 1, 2, 3, 4, (byte) 0xff, (byte) 0xfe, '\n'});

        assertThatThrownBy(() -> Survey.of(new TraceFile(file, false), 100)).hasMessageContaining("line 1 is no ");
    }

    @Test
    void theFirstFewOfManyAreNamedAndTheOthersCounted() throws IOException {
        Path file = file("a", "b", "c", "d", "e", "f", "g");

        assertThatThrownBy(() -> Survey.of(new TraceFile(file, false), 100))
                .hasMessageContaining("no requests: 7;")
                .hasMessageContaining("line 5 ")
                .hasMessageNotContaining("line 6 ")
                .hasMessageContaining("and 2 more");
    }

    @Test
    void brokenLinesAreLeftOutAndCountedIfAskedFor() throws Exception {
        Survey survey = Survey.of(new TraceFile(file("nonsense", GOOD, "{}", GOOD), true), 100);

        assertThat(survey.requests()).isEqualTo(2);
        assertThat(survey.blocks()).isEqualTo(4);
        assertThat(survey.skippedLines()).isEqualTo(2);
        assertThat(survey.text()).contains("2 broken lines left out");
    }

    @Test
    void linesBeyondTheRequestsThatAreUsedAreNotRead() throws Exception {
        assertThat(Survey.of(new TraceFile(file(GOOD, GOOD, "nonsense"), false), 2)
                        .requests())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n\n", "{\"timestamp\": 5, \"input_length\": 7, \"output_length\": 9, \"hash_ids\": []}"})
    void aTraceWithoutBlocksIsRefused(String content) throws IOException {
        assertThatThrownBy(() -> Survey.of(new TraceFile(file(content), false), 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no request with blocks in trace " + folder);
    }

    @Test
    void aFileThatIsNotThereIsNamedWithTheWayOut() {
        assertThatThrownBy(() -> new TraceFile(folder.resolve("none.jsonl"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--trace: there is no " + folder.resolve("none.jsonl"))
                .hasMessageContaining("leave the flag out");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs a file that fails when it is read, as /proc/self/mem")
    void aFileThatCannotBeReadOnIsNamed() {
        assertThatThrownBy(() -> Survey.of(new TraceFile(Path.of("/proc/self/mem"), false), 100))
                .isInstanceOf(FileSystemException.class)
                .hasMessage("/proc/self/mem: Input/output error");
    }

    @Test
    void aFolderIsNoTrace() {
        assertThatThrownBy(() -> new TraceFile(folder, false)).hasMessageContaining("is not a regular file");
    }

    private List<TraceRequest> requests(boolean skipBroken, String... lines) throws IOException {
        List<TraceRequest> all = new ArrayList<>();
        try (Requests requests = new TraceFile(file(lines), skipBroken).open()) {
            for (TraceRequest request = requests.next(); request != null; request = requests.next()) {
                all.add(request);
            }
        }
        return all;
    }

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("trace.jsonl"), List.of(lines));
    }
}
