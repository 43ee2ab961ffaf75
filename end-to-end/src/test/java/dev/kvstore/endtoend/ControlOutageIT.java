package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A control plane that is killed while clients use the data planes. */
class ControlOutageIT {
    /** Of the 120 that {@code kv bench control} takes by default; longer than a watch needs to notice. */
    private static final int SECONDS = 4;

    // Some 25 s; on a machine that does much else, several times as long.
    private static final long PATIENCE_SECONDS = 240;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void failsNoRequestOfClients() throws Exception {
        Path json = folder.resolve("control.json");

        Kv.Result result = Kv.run(
                folder,
                Map.of(),
                List.of(
                        "bench",
                        "control",
                        "--only",
                        "outage",
                        "--outage",
                        Integer.toString(SECONDS),
                        "--json",
                        json.toString()),
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode outage = new ObjectMapper().readTree(json.toFile()).get("outage");
        assertThat(outage.get("failed").asLong()).isZero();
        assertThat(outage.get("outageSeconds").asDouble()).isGreaterThanOrEqualTo(SECONDS);
        for (String kind : List.of("lookup", "read", "write")) {
            assertThat(outage.at("/whileGone/" + kind + "/count").asLong())
                    .as(kind)
                    .isGreaterThan(SECONDS);
        }
        assertThat(outage.get("newKeyMillis").asDouble()).isLessThan(5_000);
        assertThat(outage.get("revokedMillis").asDouble()).isLessThan(5_000);
    }
}
