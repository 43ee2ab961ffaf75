package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code kv bench peers}: it measures, and it notices what it must.
 * {@link BenchIT} has one short run of it.
 */
@Tag("full")
class PeersIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 180;
    private static final int BLOCK_BYTES = 16 << 20;
    private static final double GIGABYTE = 1e9;

    /** 128 and SIGTERM. */
    private static final int TERMINATED = 143;

    private static final Set<String> OF_OTHERS = Set.of("redis", "nginx");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private Kv.KvResult peers(Path json, String... flags) throws Exception {
        return Kv.run(folder, Map.of(), arguments(json, flags), PATIENCE_SECONDS);
    }

    private static List<String> arguments(Path json, String... flags) {
        List<String> arguments = new ArrayList<>(List.of("bench", "peers", "--quick", "--json", json.toString()));
        arguments.addAll(List.of(flags));
        return arguments;
    }

    @Test
    void measuresWhoeverIsThereAndNamesWhoeverIsNot() throws Exception {
        Path json = folder.resolve("peers.json");

        Kv.KvResult result = peers(json, "--only", "kvstore,tls,tcp,redis,nginx", "--rounds", "1");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode report = JSON.readTree(json.toFile());
        List<String> missing = report.get("missing").findValuesAsText("peer");
        assertThat(report.get("cases")).hasSizeGreaterThanOrEqualTo(7).allSatisfy(one -> {
            assertThat(one.get("gbPerSecond").get("median").asDouble()).isPositive();
            assertThat(one.get("cpuSecondsPerGb").get("median").asDouble()).isPositive();
        });
        JsonNode ratios = report.get("ratios");
        assertThat(ratios.get("readVsTcp").asDouble()).isPositive();
        assertThat(ratios.get("tlsVsPlaintext").asDouble()).isPositive();
        assertThat(ratios.get("readVsRedisGet").isNull()).isEqualTo(missing.contains("redis"));
        assertThat(ratios.get("writeVsRedisSet").isNull()).isEqualTo(missing.contains("redis"));
        assertThat(ratios.get("readVsNginx").isNull()).isEqualTo(missing.contains("nginx"));
        assertThat(OF_OTHERS).containsAll(missing);
        assertThat(report.get("missing"))
                .allSatisfy(one -> assertThat(result.out())
                        .contains("install " + one.get("debianPackages").get(0).asText()));
    }

    @ParameterizedTest
    @CsvSource({"lost, is missing", "corrupted, is not what was written: it differs at byte 4095"})
    void aBlockThatIsLostOrCorruptedFailsTheRun(String damage, String flaw) throws Exception {
        Path json = folder.resolve("peers.json");

        Kv.KvResult result = peers(json, "--only", "kvstore", "--sizes", "4096", "--rounds", "1", "--damage", damage);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out())
                .contains(
                        "FAILED: KV Store StreamingRead, 4096 B, 4 clients: block 2000 " + flaw,
                        "FAILED: KV Store Read, 4096 B, 4 clients: block 2000 " + flaw);
        assertThat(JSON.readTree(json.toFile()).get("flaws")).hasSize(2);
    }

    @Test
    void aServerThatIsSlowedIsMeasuredAsSlower() throws Exception {
        Path json = folder.resolve("peers.json");

        Kv.KvResult result = peers(
                json,
                "--only",
                "kvstore",
                "--sizes",
                "" + BLOCK_BYTES,
                "--clients",
                "1",
                "--rounds",
                "1",
                "--slow-server",
                "200");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        // No more than 5 requests a second, of 4 blocks at most, and one that was under way.
        assertThat(rate(json, "StreamingRead")).isPositive().isLessThan(6 * 4 * BLOCK_BYTES / GIGABYTE);
        assertThat(rate(json, "Read")).isPositive().isLessThan(6 * BLOCK_BYTES / GIGABYTE);
        assertThat(rate(json, "Write")).isPositive().isLessThan(6 * BLOCK_BYTES / GIGABYTE);
    }

    @Test
    void aRunThatIsStoppedReportsTheRoundsThatWereWhole() throws Exception {
        Path json = folder.resolve("peers.json");
        Path report = folder.resolve("report");

        Kv.KvResult result = Kv.run(
                folder,
                arguments(json, "--only", "tcp", "--sizes", "4096", "--rounds", "100", "--report", report.toString()),
                said -> said.contains("round 3 of 100"),
                Process::destroy,
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.err()).isEqualTo(TERMINATED);
        assertThat(result.out()).contains("INTERRUPTED: what is above is what there was by then.");
        JsonNode figures = JSON.readTree(json.toFile());
        assertThat(figures.get("interrupted").asBoolean()).isTrue();
        assertThat(figures.get("flaws")).isEmpty();
        assertThat(figures.get("cases").get(0).get("rounds").asInt()).isBetween(2, 99);
        assertThat(report.resolve("report.html")).content().contains("it was stopped before its end");
    }

    private static double rate(Path json, String operation) throws IOException {
        for (JsonNode one : JSON.readTree(json.toFile()).get("cases")) {
            if (one.get("operation").asText().equals(operation)) {
                return one.get("gbPerSecond").get("median").asDouble();
            }
        }
        throw new AssertionError("no case of " + operation);
    }
}
