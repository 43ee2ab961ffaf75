package dev.kvstore.benchmark.kvcache.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests of a real system, and a run beside them. */
class ValidationTraceTest {
    private static final String FORM = "{\"cache_hit\": true, \"read_bytes\": 0, \"write_bytes\": 0,"
            + " \"context_tokens\": 0, \"generation_tokens\": 0}";

    private static final ValidationTrace TRACE = new ValidationTrace(100, 0.5, 10, 1_000, 200);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private ValidationTrace read(String text) throws IOException {
        return ValidationTrace.read(Files.writeString(folder.resolve("v.json"), text));
    }

    private static String request(boolean hit, int read, int written, int context, int answer) {
        return """
                {"request_id": "r", "more": {"a": [1]}, "cache_hit": %s, "read_bytes": %d, "write_bytes": %d,
                 "context_tokens": %d, "generation_tokens": %d}""".formatted(hit, read, written, context, answer);
    }

    private static ObjectNode run(double hitRate, double ratio, int requests, int tokens) throws IOException {
        return (ObjectNode) new ObjectMapper().readTree("""
                {"summary": {"total_requests": %d, "total_tokens": %d,
                 "cache_stats": {"cache_hit_rate": %s, "read_write_ratio": %s}}}""".formatted(requests, tokens, hitRate, ratio));
    }

    @Test
    void sumsUpTheRequests() throws IOException {
        ValidationTrace trace =
                read("[" + request(true, 900, 50, 100, 10) + "," + request(false, 100, 50, 300, 30) + "]");

        assertThat(trace).isEqualTo(new ValidationTrace(2, 0.5, 10, 200, 20));
    }

    @Test
    void comparesTheHitRateAloneAsTheOriginalDoes() throws IOException {
        ObjectNode validation = TRACE.compare(run(0.49, 1, 10, 10), false);

        assertThat(validation.path("comparison").size()).isEqualTo(1);
        assertThat(validation.path("avg_error_pct").asDouble()).isCloseTo(2, within(1e-9));
        assertThat(validation.path("passed").asBoolean()).isTrue();
        assertThat(validation.at("/trace_stats/context_tokens_mean").asDouble()).isEqualTo(1_000);
    }

    @Test
    void otherwiseComparesBytesAndAnswersToo() throws IOException {
        ObjectNode validation = TRACE.compare(run(0.5, 5, 10, 2_000), true);

        assertThat(validation.at("/comparison/read_write_ratio/error_pct").asDouble())
                .isEqualTo(50);
        assertThat(validation
                        .at("/comparison/generation_tokens_mean/within_5pct")
                        .asBoolean())
                .isTrue();
        assertThat(validation.path("passed").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | line 1: must be a list of FORM",
                "[3] | line 1: an entry is not as in FORM",
                "[] | has no request with cache_hit true, so no rate to compare",
                "[{}] | line 1: cache_hit is not as in FORM",
                "[{\"cache_hit\": 1}] | line 1: cache_hit is not as in FORM",
                "[{\"read_bytes\": -1}] | line 1: cache_hit is not as in FORM",
                "[{\"read_bytes\": true}] | line 1: read_bytes is not as in FORM"
            })
    void refusesInOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> read(text))
                .hasMessageStartingWith("--validation-trace: ")
                .hasMessageEndingWith(": " + sentence.replace("FORM", FORM));
    }

    @Test
    void refusesNumbersBelowZero() {
        assertThatThrownBy(() -> read("[" + request(true, -1, 1, 1, 1) + "]"))
                .hasMessageEndingWith("line 2: an entry is not as in " + FORM);
    }

    @Test
    void refusesATraceWithoutHits() {
        assertThatThrownBy(() -> read("[" + request(false, 1, 1, 1, 1) + "]"))
                .hasMessageEndingWith("has no request with cache_hit true, so no rate to compare");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatThrownBy(() -> ValidationTrace.read(folder.resolve("none.json")))
                .hasMessageEndingWith("none.json: cannot be read");
    }
}
