package dev.kvstore.benchmark.kvcache.workload;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tokens as Hugging Face's library (tokenizers 0.23.3) counts them, by a tokenizer of 164 merges that it made of
 * CONTRIBUTING.md, with the pre-tokenizer of Llama 3 and the normalizer of Qwen 3.
 */
class BpeTokenizerTest {
    private static final List<String> TEXTS = List.of(
            "",
            "The tests of all modules run side by side.",
            "It's 12345 bytes, isn't it?\n\n  Yes:\tof course",
            "Gr\u00f6\u00dfe na\u00efve cafe\u0301 \u65e5\u672c\u8a9e \ud83d\ude00",
            "   ",
            "x".repeat(50),
            "public static void main(String[] args) {\r\n}\n");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static String json() throws IOException {
        try (InputStream file = requireNonNull(
                BpeTokenizerTest.class.getResourceAsStream("/dev/kvstore/benchmark/kvcache/tokenizer.json"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private BpeTokenizer read(String json) throws IOException {
        return BpeTokenizer.read(Files.writeString(folder.resolve("t.json"), json));
    }

    @Test
    void countsAsTheLibraryDoes() throws IOException {
        assertThat(TEXTS.stream().map(read(json())::count)).containsExactly(0L, 18L, 34L, 32L, 3L, 50L, 34L);
    }

    @Test
    void countsAsTheLibraryDoesWithThePatternOfGpt2AndWithoutANormalizer() throws IOException {
        String usual = json().replaceFirst(
                        "\"pre_tokenizer\":.*\"post_processor\"",
                        "\"pre_tokenizer\": {\"type\": \"ByteLevel\"}, \"post_processor\"")
                .replace("{\"type\":\"NFC\"}", "null");

        assertThat(TEXTS.stream().map(read(usual)::count)).containsExactly(0L, 18L, 34L, 33L, 3L, 50L, 34L);
    }

    /** Files that were written before 2024 have merges of this form. */
    @Test
    void mergesMayBeTextsToo() throws IOException {
        String texts = json().replaceAll("\\[\"([^\"]+)\",\"([^\"]+)\"\\]", "\"$1 $2\"");

        assertThat(read(texts).count(TEXTS.get(1))).isEqualTo(18);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"BPE\" | \"Unigram\" | has no model of BPE",
                "\"ByteLevel\" | \"Metaspace\" | cuts texts in a way that is not known",
                "\"NFC\" | \"Lowercase\" | normalizes texts in a way that is not known",
            })
    void tokenizersOfOtherKindsAreRefused(String text, String other, String sentence) throws IOException {
        String json = json().replace(text, other);

        assertThatThrownBy(() -> read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--tokenizer: " + folder.resolve("t.json") + ": " + sentence
                        + "; leave the flag out, and a token has four characters");
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> BpeTokenizer.read(folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--tokenizer: " + folder.resolve("none") + ": no such file or folder");
    }
}
