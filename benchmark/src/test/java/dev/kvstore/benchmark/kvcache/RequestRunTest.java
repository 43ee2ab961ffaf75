package dev.kvstore.benchmark.kvcache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose requests read documents or come from a file. */
@Tag("slow")
class RequestRunTest {
    private static final String FLAGS =
            "--model tiny-1b --num-users 5 --duration 3 --warmup 0 --generation-mode none --seed 42 --tiers null ";
    private static final String TO_THE_END = FLAGS + "--duration 100 --replay-cycles 2 ";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private JsonNode results(String flags) throws IOException {
        CommandTrial trial = CommandTrial.of(folder, flags);
        assertThat(trial.exitCode()).as(trial.out() + trial.err()).isZero();
        return trial.results();
    }

    @Test
    void chunksOfDocumentsAreThereWhenRequestsReadThem() throws IOException {
        CommandTrial trial = CommandTrial.of(folder, FLAGS + "--enable-rag --rag-num-docs 3");
        JsonNode chunks = trial.own().path("chunks");

        assertThat(trial.out()).containsPattern("parts of documents missing +0\n");
        assertThat(chunks.path("found").asLong()).isPositive();
        assertThat(chunks.path("missing").asLong()).isZero();
    }

    /** A twentieth of a GiB holds four chunks of 512 tokens. */
    @Test
    void chunksThatWereEvictedAreMissingAndAreWrittenAgain() throws IOException {
        JsonNode chunks = results(FLAGS + "--enable-rag --rag-num-docs 3 --storage-capacity-gb 0.05")
                .at("/summary/kvstore/chunks");

        assertThat(chunks.path("missing").asLong()).isPositive();
    }

    @Test
    void classesAreHeldAgainstAllTheirTargets() throws IOException {
        JsonNode targets = results(FLAGS + "--num-users 20").at("/summary/kvstore/requests/batch/targets_ms");

        assertThat(targets.at("/p95/target").asDouble()).isEqualTo(1_000);
        assertThat(targets.at("/p9999/target").asDouble()).isEqualTo(10_000);
        assertThat(targets.at("/p999/actual").asDouble()).isPositive();
    }

    private long promptHits(int leastTokens) throws IOException {
        Files.writeString(folder.resolve("p.yaml"), "prefix_cache: {min_prefix_length: " + leastTokens + "}");
        return results(FLAGS + "--num-users 20 --block-tokens 16 --system-prompt-tokens 100 --config FOLDER/p.yaml")
                .at("/summary/cache_stats/system_prompt_hits")
                .asLong();
    }

    @Test
    void sharedPromptsThatAreTooShortAreNotShared() throws IOException {
        assertThat(promptHits(100)).isPositive();
        assertThat(promptHits(101)).isZero();
    }

    @Test
    void aDatasetIsReplayedAndThenTheRunEnds() throws IOException {
        String talk = "{\"id\": \"ID\", \"conversations\": [{\"from\": \"human\", \"value\": \"a question\"},"
                + " {\"from\": \"gpt\", \"value\": \"an answer\"}, {\"from\": \"human\", \"value\": \"more\"},"
                + " {\"from\": \"gpt\", \"value\": \"yes\"}]}";
        Files.writeString(
                folder.resolve("d.json"), "[" + talk.replace("ID", "a") + "," + talk.replace("ID", "b") + "]");
        JsonNode results = results(TO_THE_END + "--dataset-path FOLDER/d.json --arrival fixed --request-rate 20");

        assertThat(results.path("requests_completed").asLong()).isEqualTo(8);
        assertThat(results.path("multi_turn_cache_hits").asLong()
                        + results.path("multi_turn_cache_misses").asLong())
                .isEqualTo(4);
        assertThat(results.at("/summary/elapsed_time").asDouble()).isLessThan(60);
    }

    @Test
    void tokensOfADatasetAreCountedByTheUsersTokenizer() throws IOException {
        Files.writeString(folder.resolve("d.json"), """
                [{"conversations": [{"from": "human", "value": "The tests of all modules run side by side."},
                  {"from": "gpt", "value": "The tests of all modules run side by side."}]}]
                """);
        try (InputStream tokenizer = requireNonNull(RequestRunTest.class.getResourceAsStream("tokenizer.json"))) {
            Files.copy(tokenizer, folder.resolve("t.json"));
        }
        String flags = TO_THE_END + "--replay-cycles 1 --dataset-path FOLDER/d.json --arrival fixed --request-rate 20 ";

        assertThat(results(flags + "--tokenizer FOLDER/t.json")
                        .path("total_tokens_generated")
                        .asLong())
                .isEqualTo(18);
        assertThat(results(flags).path("total_tokens_generated").asLong()).isEqualTo(10);
    }

    @Test
    void aTraceIsReplayedAndThenTheRunEnds() throws IOException {
        Files.writeString(
                folder.resolve("t.csv"),
                "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n0,m,500,32,532,l\n9,m,20000,33,533,l\n");
        JsonNode results = results(TO_THE_END + "--use-burst-trace --burst-trace-path FOLDER/t.csv --trace-speedup 10");

        assertThat(results.path("requests_completed").asLong()).isEqualTo(4);
        assertThat(results.path("total_tokens_generated").asLong()).isEqualTo(130);
        assertThat(results.at("/summary/elapsed_time").asDouble()).isBetween(1.7, 60.0);
    }
}
