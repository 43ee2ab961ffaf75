package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv bench engine} with a real engine, where {@code kv test --engines} made one, and without. */
class EngineBenchIT {
    private static final int MINUTES = 10;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void namesTheWayToAPythonThatHasAnEngine() throws Exception {
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();

        Kv.KvResult result = Kv.run(folder, Map.of(), List.of("bench", "engine", "--python", python.toString()));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("has no module vllm; install vLLM, then client-python/kvstore-client")
                .doesNotContain("\tat ");
    }

    @Test
    @Tag("full")
    void theStoreGivesTheSameOutputAndEveryStoredToken() throws Exception {
        Path json = folder.resolve("report.json");
        String flags = "--model=tiny --prefix=512 --hit-ratio=0,1 --tokens=4 --rounds=1 --memory-gb=1";
        Kv.KvResult result = Kv.run(
                folder, Map.of(), List.of(("bench engine --json=" + json + " " + flags).split(" ")), MINUTES * 60L);
        assumeTrue(
                !result.err().contains("no environment with vLLM"),
                "missing: an environment with vLLM in target/engines; ./kv test --engines makes it");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        int engines = report.get("missing").asText().isEmpty() ? 3 : 2;
        assertThat(report.get("cases")).hasSize(2 * engines).allSatisfy(one -> {
            assertThat(one.at("/tokensPerSecond/median").asDouble()).isPositive();
            assertThat(one.get("firstTokenSecondsP50").asDouble()).isPositive();
        });
        JsonNode hits = report.get("cases").get(engines + 1);
        assertThat(hits.get("engine").asText()).isEqualTo("kvstore");
        assertThat(hits.at("/rounds/0/hitTokens").asInt()).isEqualTo(2 * 512);
        assertThat(hits.at("/rounds/0/servedBlocks").asInt()).isEqualTo(2 * 4);
    }
}
