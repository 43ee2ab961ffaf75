package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --xlsx-output} and {@code --io-trace-log} with a name that ends in {@code .zst}. */
@Tag("slow")
class SpreadsheetTest {
    private static final String FLAGS =
            "--model tiny-1b --num-users 3 --duration 2 --warmup 0 --generation-mode none --seed 42 --tiers null ";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private CommandTrial run(String flags) {
        CommandTrial trial = CommandTrial.of(folder, FLAGS + flags);
        assertThat(trial.exitCode()).as(trial.out() + trial.err()).isZero();
        return trial;
    }

    private static String part(ZipFile book, String name) throws IOException {
        return new String(book.getInputStream(book.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void hasTheOriginalsSheets() throws IOException {
        run("--xlsx-output FOLDER/r.xlsx");

        try (ZipFile book = new ZipFile(folder.resolve("r.xlsx").toFile())) {
            assertThat(part(book, "xl/workbook.xml"))
                    .contains("\"Summary\"", "\"Run Parameters\"", "\"Performance Metrics\"", "\"QoS Metrics\"");
        }
    }

    @Test
    void cellsHaveTheFiguresOfTheJson() throws IOException {
        CommandTrial trial = run("--xlsx-output FOLDER/r.xlsx");
        long tokens = trial.results().path("total_tokens_generated").asLong();

        try (ZipFile book = new ZipFile(folder.resolve("r.xlsx").toFile())) {
            assertThat(part(book, "xl/worksheets/sheet3.xml")).contains("<v>" + tokens + "</v>");
            assertThat(part(book, "xl/sharedStrings.xml"))
                    .contains("Total Tokens", "Storage Tier Read Device P99.9 (ms)");
        }
    }

    @Test
    void aNameThatEndsInCsvTakesTheFirstSheetAsCsv() throws IOException {
        CommandTrial trial = run("--xlsx-output FOLDER/r.csv");
        List<String> lines = Files.readAllLines(folder.resolve("r.csv"));

        assertThat(lines).hasSize(2);
        List<String> names = List.of(lines.get(0).split(",", -1));
        List<String> values = List.of(lines.get(1).split(",", -1));
        assertThat(values).hasSameSizeAs(names);
        assertThat(names).hasSize(99);
        assertThat(values.get(names.indexOf("Total Tokens")))
                .isEqualTo(trial.results().path("total_tokens_generated").asText());
        assertThat(values.get(names.indexOf("Model"))).isEqualTo("tiny-1b");
    }

    @Test
    void aTraceWhoseNameEndsInZstIsCompressed() throws IOException {
        run("--io-trace-log FOLDER/t.csv.zst");
        byte[] head = new byte[4];
        try (var in = Files.newInputStream(folder.resolve("t.csv.zst"))) {
            assertThat(in.readNBytes(head, 0, 4)).isEqualTo(4);
        }

        assertThat(String.format(Locale.ROOT, "%02x%02x%02x%02x", head[0], head[1], head[2], head[3]))
                .isEqualTo("28b52ffd");
        try (var in = new ZstdInputStream(Files.newInputStream(folder.resolve("t.csv.zst")))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("Timestamp,Operation,Object_Size_Bytes,Tier,Key,Phase\r\n")
                    .endsWith("\r\n");
        }
    }
}
