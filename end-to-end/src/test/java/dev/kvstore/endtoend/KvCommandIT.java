package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
        assertThat(result.err()).contains("nonsense", "demo, up, node, test, help");
    }

    @ParameterizedTest
    @EnumSource(StorageKind.class)
    void upServesWhatItsFileSaysUntilItIsToldToStop(StorageKind storage) throws Exception {
        try (KvUp up = KvUp.start(folder, storage)) {
            assertThat(up.report().get("storage").asText()).isEqualTo(storage.toString());
            assertThat(up.endpoints()).hasSize(2).allSatisfy(endpoint -> writeAndRead(up, endpoint));
            List<ProcessHandle> children = up.process().descendants().toList();

            up.process().destroy();

            assertThat(up.process().waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(children).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
            assertThat(up.json()).doesNotExist();
        }
    }

    @ParameterizedTest
    @EnumSource(StorageKind.class)
    void nothingOutlivesAnUpThatIsKilled(StorageKind storage) throws Exception {
        try (KvUp up = KvUp.start(folder, storage)) {
            List<ProcessHandle> children = up.process().descendants().toList();

            up.process().destroyForcibly();

            assertThat(children).hasSizeGreaterThanOrEqualTo(3);
            await().atMost(Duration.ofSeconds(STOP_SECONDS))
                    .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void anUpThatCannotStartLeavesTheFileOfTheOneThatRuns() throws Exception {
        try (KvUp up = KvUp.start(folder, StorageKind.FILESYSTEM)) {
            String port = up.endpoints().getFirst().replaceFirst(".*:", "");

            Kv.Result result = kv(
                    "up",
                    "--port",
                    port,
                    "--rest-port",
                    "0",
                    "--control-port",
                    "0",
                    "--data",
                    folder + "/other",
                    "--json",
                    "" + up.json());

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("port " + port + " of 127.0.0.1 is taken");
            assertThat(JSON.readTree(up.json().toFile())).isEqualTo(up.report());
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

    private static void writeAndRead(KvUp up, String endpoint) {
        Prompt prompt = Prompt.unique(1);
        byte[] buffer = Prompt.bytes(10_000, 1);
        try (KvClient client = KvClient.builder()
                .endpoints(endpoint)
                .resource(up.resourceName())
                .apiKey(up.apiKey())
                .build()) {
            client.write(prompt.partition(), prompt.block(0, buffer));
            Stacks.assertHolds(client, prompt.chain(), _ -> buffer);
        }
    }
}
