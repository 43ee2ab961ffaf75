package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A source, spoken to over HTTP, that does not answer while blocks are copied from it. */
class WarmingPartitionIT {
    private static final String AWAY = "second";
    private static final int BLOCKS = 60;
    private static final int BLOCK_BYTES = 100_000;

    /** So few that the source is cut off well before the end, on a busy machine too. */
    private static final int BLOCKS_PER_SECOND = 4;

    /** Longer than a process takes to tell what it copied. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    /** A region that is cut off, as long as the promise goes. */
    private static final Duration PROMISED = Duration.ofSeconds(30);

    private static final Duration SOON = Duration.ofSeconds(150);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void aWarmingWaitsForTheSourceAndEndsWhole() throws Exception {
        aWarmingOutlivesASourceThatIsCutOff(SHORT);
    }

    @Test
    @Tag("full")
    void aWarmingWaitsForTheSourceAsLongAsIsPromised() throws Exception {
        aWarmingOutlivesASourceThatIsCutOff(PROMISED);
    }

    private void aWarmingOutlivesASourceThatIsCutOff(Duration time) throws Exception {
        StackLayout layout = StackLayout.of(2, 1, Duration.ofMillis(20));
        try (LocalStack stack = Stacks.startFast(folder, StorageKind.AZURITE, layout);
                AdminClient admin = Objects.requireNonNull(stack.controlPlane()).admin()) {
            TestPrompt prompt = TestPrompt.unique(BLOCKS);
            try (KvClient client =
                    client(stack, stack.dataPlanes(StackLayout.HOME).getFirst())) {
                for (int i = 0; i < BLOCKS; i++) {
                    client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(BLOCK_BYTES, i)));
                }
            }
            String id = begin(admin, prompt);
            JsonNode before = awaitWarming(admin, id, warming -> copied(warming) >= 1);

            ProcessHandle source = azuriteOfHome();
            signal("STOP", source);
            try {
                JsonNode meanwhile = await("the time that the source is cut off")
                        .pollDelay(time)
                        .atMost(SOON)
                        .until(() -> warming(admin, id), Objects::nonNull);
                assertThat(meanwhile.path("state").asText())
                        .as(meanwhile.toString())
                        .isEqualTo("running");
                assertThat(copied(meanwhile)).isBetween(copied(before), BLOCKS - 1);
            } finally {
                signal("CONT", source);
            }

            JsonNode end = awaitWarming(
                    admin, id, warming -> !warming.path("state").asText().equals("running"));
            assertThat(end.path("state").asText()).as(end.toString()).isEqualTo("done");
            assertThat(copied(end)).isEqualTo(BLOCKS);
            try (KvClient client = client(stack, stack.dataPlanes(AWAY).getFirst())) {
                Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));
            }
        }
    }

    private static KvClient client(LocalStack stack, StackDataPlane dataPlane) {
        return Stacks.client(stack, dataPlane.endpoint()).build();
    }

    private static String begin(AdminClient admin, TestPrompt prompt) throws InterruptedException {
        ObjectNode spec = new ObjectMapper()
                .createObjectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", StackLayout.HOME)
                .put("to", AWAY)
                .put("bytesPerSecond", BLOCKS_PER_SECOND * BLOCK_BYTES);
        spec.putObject("select")
                .put("partition", prompt.partition().name())
                .put("blockTokens", prompt.partition().blockTokens());
        return admin.send(RestRequest.post(List.of("v1", "warmings"), spec))
                .accepted()
                .body()
                .path("id")
                .asText();
    }

    private static JsonNode warming(AdminClient admin, String id) throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "warmings", id)))
                .accepted()
                .body();
    }

    private static JsonNode awaitWarming(AdminClient admin, String id, Predicate<JsonNode> wanted) {
        return await().atMost(SOON).until(() -> warming(admin, id), wanted);
    }

    private static int copied(JsonNode warming) {
        return warming.at("/blocks/copied").asInt();
    }

    private ProcessHandle azuriteOfHome() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info()
                        .commandLine()
                        .map(line -> line.contains("--location " + folder.resolve("azurite") + " "))
                        .orElse(false))
                .findFirst()
                .orElseThrow();
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
