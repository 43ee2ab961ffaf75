package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code ./kv} as its user knows it. */
class KvCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long STOP_SECONDS = 30;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void explainsItselfWithoutAVerb() throws Exception {
        Kv.Result result = kv();

        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains("Usage: kv VERB", "demo", "up", "admin", "node", "control-plane", "test", "KV_SKIP_BUILD");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void refusesWhatItDoesNotKnow() throws Exception {
        Kv.Result result = kv("nonsense");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("nonsense", "demo, up, node, train, test, help");
    }

    @Test
    void nothingOutlivesAnUpThatIsKilled() throws Exception {
        // Which has every kind of process: over a folder there is no Azurite.
        try (KvUp up = KvUp.start(folder, StorageKind.AZURITE)) {
            List<ProcessHandle> children = up.process().descendants().toList();

            up.process().destroyForcibly();

            assertThat(children).hasSizeGreaterThanOrEqualTo(4);
            await().atMost(Duration.ofSeconds(STOP_SECONDS))
                    .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
        }
    }

    @ParameterizedTest
    @EnumSource(StorageKind.class)
    void theDemoHolds(StorageKind storage) throws Exception {
        Path json = folder.resolve("demo.json");

        Kv.Result result = kv(
                "demo",
                "--block-bytes",
                "4096",
                "--conversations",
                "2",
                "--storage",
                "" + storage,
                "--json",
                "" + json);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode report = JSON.readTree(json.toFile());
        assertThat(report.get("passed").asBoolean()).isTrue();
        assertThat(report.get("storage").asText()).isEqualTo(storage.toString());
        assertThat(report.get("blocksStored").asInt()).isPositive();
        assertThat(report.get("checks")).hasSizeGreaterThanOrEqualTo(5).allSatisfy(check -> {
            assertThat(check.get("asked").asInt()).isPositive();
            assertThat(check.get("failures").asInt()).isZero();
        });
    }

    private Kv.Result kv(String... arguments) throws Exception {
        return Kv.run(folder, Map.of(), List.of(arguments));
    }
}
