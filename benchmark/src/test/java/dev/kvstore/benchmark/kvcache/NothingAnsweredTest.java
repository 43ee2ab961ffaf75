package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run in which no request was answered says so and has failed. */
@Tag("slow")
class NothingAnsweredTest {
    private static final String FLAGS =
            "--num-users 1 --duration 1 --warmup 0 --drain 0 --tiers null --config FOLDER/slow.yaml";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private CommandTrial run(String more) throws IOException {
        Files.writeString(folder.resolve("slow.yaml"), """
                user_templates:
                  chatbot: {think_time_range: [60, 60]}
                  coding: {think_time_range: [60, 60]}
                  document: {think_time_range: [60, 60]}
                """);
        return CommandTrial.of(folder, FLAGS + more);
    }

    @Test
    void isAFailedRun() throws IOException {
        CommandTrial trial = run("");

        assertThat(trial.exitCode()).isEqualTo(1);
        assertThat(trial.out()).contains("FAILED: No request was answered in the window");
    }

    @Test
    void isAFailedRunAsTheOriginalCountsToo() throws IOException {
        assertThat(run(" --compat").exitCode()).isEqualTo(1);
    }

    @Test
    void showsHowLongItWasAndNoFiguresOfTiers() throws IOException {
        CommandTrial trial = run("");

        assertThat(trial.out()).contains("counted honest, 1.0 s").doesNotContain("hit rate", "GiB/s");
        assertThat(trial.own().path("window_seconds").asDouble()).isBetween(1.0, 10.0);
    }

    private static SuiteReport.ReportedRun empty() {
        return new SuiteReport.ReportedRun("1", 1, "file", JsonNodeFactory.instance.objectNode(), List.of());
    }

    @Test
    void aRateAtWhichNothingWasAnsweredHasNoPercentiles() {
        assertThat(RateReport.of(1, List.of(empty())).text()).contains("–");
    }

    @Test
    void aRunOfASuiteThatAnsweredNothingHasNoFigures() {
        assertThat(new SuiteReport(Suite.SMOKE, true, 1, List.of(empty()), null, null).text())
                .containsPattern("(?m)^ +1 +1 +none$");
    }
}
