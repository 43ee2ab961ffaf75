package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A data plane that is killed again and again in the middle of writes. */
class KillIT {
    /** How many of the 200 kills that {@code kv bench kill} makes by default a test has time for. */
    private static final int KILLS = 4;

    private static final int MORE_KILLS = 10;

    // Some 3 s each; on a machine that does much else, three times as long.
    private static final long PATIENCE_SECONDS = 400;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void losesNothingThatWasAcknowledged() throws Exception {
        losesNothing(KILLS);
    }

    @Test
    @Tag("full")
    void losesNothingThatWasAcknowledgedHoweverOftenItIsKilled() throws Exception {
        losesNothing(MORE_KILLS);
    }

    private void losesNothing(int kills) throws Exception {
        Path json = folder.resolve("kill.json");

        Kv.KvResult result = Kv.run(
                folder,
                Map.of(),
                List.of("bench", "kill", "--count", Integer.toString(kills), "--json", json.toString()),
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.get("kills").asInt()).isEqualTo(kills);
        assertThat(report.get("lostAckedBlocks").asLong()).isZero();
        assertThat(report.get("tornBlocksServed").asLong()).isZero();
        assertThat(report.get("presenceMissed").asLong()).isZero();
        assertThat(report.get("ackedBlocks").asLong()).isGreaterThan(kills);
        assertThat(report.get("inFlightAtKill").asLong()).isPositive();
        assertThat(report.get("diskTierRecovered").asInt()).isGreaterThan(kills / 2);
    }
}
