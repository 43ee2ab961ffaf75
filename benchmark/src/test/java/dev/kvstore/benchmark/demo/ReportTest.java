package dev.kvstore.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.ProcessFigures;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void percentilesAreMillisecondsToThreeDigits() {
        Latencies latencies = new Latencies();
        for (int millis = 1; millis <= 100; millis++) {
            latencies.add(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        Latencies.Percentiles percentiles = latencies.percentiles();

        assertThat(percentiles.count()).isEqualTo(100);
        assertThat(percentiles.p50Millis()).isBetween(50.0, 50.1);
        assertThat(percentiles.p90Millis()).isBetween(90.0, 90.2);
        assertThat(percentiles.p99Millis()).isBetween(99.0, 99.2);
    }

    @Test
    void nothingMeasuredIsAllZero() {
        assertThat(new Latencies().percentiles()).isEqualTo(new Latencies.Percentiles(0, 0, 0, 0, 0));
    }

    @Test
    void aCheckThatWasNeverAskedHasNotPassed() {
        Checks checks = new Checks();
        checks.expect("never asked");

        assertThat(checks.allPassed()).isFalse();
    }

    @Test
    void aCheckKeepsItsFirstFailure() {
        Checks checks = new Checks();
        checks.equal("hits", 3, 3, "turn 1");
        checks.equal("hits", 3, 2, "turn 2");
        checks.equal("hits", 3, 1, "turn 3");

        assertThat(checks.all()).containsExactly(new Checks.DemoCheck("hits", 3, 2, "turn 2: 2 instead of 3"));
    }

    @Test
    void aPhaseRelatesBytesToTimeAndCallsToOperations() {
        DemoPhase.PhaseFigures figures = phase().figures();

        assertThat(figures.restoreMegabytesPerSecond()).isEqualTo(500);
        assertThat(figures.storageCallsPerLookup()).isEqualTo(1.5);
        assertThat(figures.writeMegabytesPerSecond()).isZero();
        assertThat(figures.storageCallsPerWrittenBlock()).isZero();
    }

    @Test
    void theTableShowsFiguresAndVerdicts() {
        Checks checks = new Checks();
        checks.equal("all is hit", 1, 1, "here");
        checks.equal("all is restored", 1, 0, "here");

        assertThat(report(checks).text())
                .contains("conversations", "500", "1.5", "data-plane-8085", "256")
                .contains("PASS  all is hit", "FAIL  all is restored", "here: 0 instead of 1", "NOT all held");
    }

    @Test
    void theTableSaysSoWhenAllHeld() {
        Checks checks = new Checks();
        checks.equal("all is hit", 1, 1, "here");

        assertThat(report(checks).text()).endsWith("\nAll held.\n").doesNotContain("FAIL");
    }

    @Test
    void theJsonNamesEveryFigure() {
        JsonNode json = new ObjectMapper().valueToTree(report(new Checks()));

        assertThat(json.at("/phases/0/lookup/p99Millis").isNumber()).isTrue();
        assertThat(json.at("/phases/0/lookupStorageCalls/exists").asDouble()).isEqualTo(3);
        assertThat(json.at("/dataPlanesStarted/0/residentBytes").asLong()).isEqualTo(256_000_000);
        assertThat(json.at("/passed").isBoolean()).isTrue();
    }

    private static DemoPhase phase() {
        DemoPhase phase = new DemoPhase("conversations");
        phase.lookups = 2;
        phase.lookupCalls.put("exists", 3.0);
        phase.writeCalls.put("put_if_absent", 1.0);
        phase.bytesRestored = 1_000_000;
        phase.restoreNanos = TimeUnit.MILLISECONDS.toNanos(2);
        return phase;
    }

    private static DemoReport report(Checks checks) {
        List<ProcessFigures> processes = List.of(new ProcessFigures("data-plane-8085", 1_234, 256_000_000, 5_678));
        return new DemoReport(
                checks.allPassed(),
                "the Java SDK",
                "filesystem",
                4,
                16,
                18_176,
                128,
                1_200_000,
                125,
                12.5,
                List.of(phase().figures()),
                processes,
                processes,
                processes,
                checks.all());
    }
}
