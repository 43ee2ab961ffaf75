package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kv bench limits}: every figure is measured and judged, and what is slow shows.
 * {@link BenchIT} has one short run of it.
 */
@Tag("full")
class LimitsIT {
    private static final long PATIENCE_SECONDS = 400;

    /** 128 and SIGTERM. */
    private static final int TERMINATED = 143;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private Path json() {
        return folder.resolve("limits.json");
    }

    private List<String> arguments(String... flags) {
        List<String> arguments = new ArrayList<>(List.of("bench", "limits", "--quick", "--json=" + json()));
        arguments.addAll(List.of(flags));
        return arguments;
    }

    private JsonNode report() throws IOException {
        return new ObjectMapper().readTree(json().toFile());
    }

    @Test
    void measuresEveryFigureOrNamesWhatIsMissing() throws Exception {
        Path disk = folder.resolve("disk");

        Kv.KvResult result = Kv.run(folder, Map.of(), arguments("--folder=" + disk), PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode report = report();
        assertThat(report.get("flaws")).isEmpty();
        boolean fio = report.get("missing").isEmpty();
        assertThat(report.get("goals")).hasSize(11).allSatisfy(goal -> {
            boolean measured = fio || !goal.get("limit").asText().equals("disk");
            assertThat(goal.get("found").isObject()).isEqualTo(measured);
            assertThat(goal.get("reached").isBoolean()).isEqualTo(measured);
        });
        assertThat(report.get("figures"))
                .allSatisfy(figure ->
                        assertThat(figure.at("/spread/median").asDouble()).isPositive());
        assertThat(median(report, "ready, nothing stored", "s")).isBetween(0.1, 60.0);
        assertThat(median(report, "ready, nothing stored, without its AOT cache", "s"))
                .isBetween(0.1, 60.0);
        assertThat(median(report, "until it knows those blocks", "s"))
                .isGreaterThanOrEqualTo(median(report, "ready, blocks left on its disk", "s"));
        assertThat(median(report, "Read, cold", "ms (p50)")).isGreaterThanOrEqualTo(20);
        // All at once, not one after the other.
        assertThat(median(report, "StreamingRead of 64 blocks, cold", "ms (p50)"))
                .isBetween(20.0, 64 * 20.0);
        if (!fio) {
            assertThat(result.out()).contains("MISSING disk: no fio; install fio");
        }
        assertThat(disk).isEmptyDirectory();
    }

    @Test
    void aDataPlaneThatAnswersLaterShowsInTheRoundsThatWereWholeWhenTheRunWasStopped() throws Exception {
        Path report = folder.resolve("report");

        Kv.KvResult result = Kv.run(
                folder,
                arguments("--only=lookup,start", "--rounds=100", "--slow-server=50", "--report=" + report),
                said -> said.contains("round 3 of 100"),
                Process::destroy,
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.err()).isEqualTo(TERMINATED);
        assertThat(result.out())
                .contains(
                        "made to answer 50 ms later",
                        "MISSED by a factor of ",
                        "INTERRUPTED: what is above is what there was by then.");
        JsonNode found = report();
        assertThat(found.get("interrupted").asBoolean()).isTrue();
        assertThat(found.get("flaws")).isEmpty();
        assertThat(found.get("figures").get(0).get("rounds").size()).isBetween(2, 99);
        assertThat(median(found, "Lookup of 1,000 blocks", "ms (p50)")).isGreaterThanOrEqualTo(50);
        assertThat(Files.readString(report.resolve("report.html"))).contains("it was stopped before its end");
    }

    /** The first such figure, whatever its number of clients. */
    private static double median(JsonNode report, String what, String quantity) {
        for (JsonNode figure : report.get("figures")) {
            if (figure.get("what").asText().equals(what)
                    && figure.get("quantity").asText().equals(quantity)) {
                return figure.at("/spread/median").asDouble();
            }
        }
        throw new AssertionError("no " + what + " in " + quantity);
    }
}
