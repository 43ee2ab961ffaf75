package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./kv} as its user knows it. */
class KvCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void explainsItselfWithoutAVerb() throws Exception {
        Kv.KvResult result = kv();

        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains("Usage: kv VERB", "demo", "up", "admin", "node", "control-plane", "test", "KV_SKIP_BUILD");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void refusesWhatItDoesNotKnow() throws Exception {
        Kv.KvResult result = kv("nonsense");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("nonsense", "demo, doctor, help, image, node, publish, terraform, test, top, train, up");
    }

    @Test
    void theDemoHolds() throws Exception {
        theDemoHolds(StorageKind.FILESYSTEM);
    }

    @Test
    @Tag("full")
    void theDemoHoldsOverAzurite() throws Exception {
        theDemoHolds(StorageKind.AZURITE);
    }

    private void theDemoHolds(StorageKind storage) throws Exception {
        Path json = folder.resolve("demo.json");

        Kv.KvResult result = kv(
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

    private Kv.KvResult kv(String... arguments) throws Exception {
        return Kv.run(folder, Map.of(), List.of(arguments));
    }
}
