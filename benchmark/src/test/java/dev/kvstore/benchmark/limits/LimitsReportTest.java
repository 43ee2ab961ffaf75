package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.RoundsCommand.RoundPlan;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The report of the findings. */
class LimitsReportTest {
    private final LimitFindings findings = new LimitFindings();
    private final List<String> flaws = new ArrayList<>();
    private List<LimitsReport.MissingProgram> missing = List.of();

    private LimitsReport report(boolean interrupted, boolean strict, Limit... limits) throws IOException {
        LimitScene.LimitsOptions options = new LimitScene.LimitsOptions(
                List.of(limits),
                Path.of("."),
                List.of(1, 4, 8),
                RoundPlan.ofSeconds(3, 3, 8),
                7,
                10_000,
                Duration.ZERO,
                strict);
        return LimitsReport.of(options, 0.1, findings, missing, flaws, interrupted);
    }

    private void small(double... rounds) {
        for (double round : rounds) {
            findings.add(Limit.SMALL, TierTrials.SMALL, 8, Quantity.BLOCKS, round);
        }
    }

    @Test
    void theTextHasEachFigureAndByHowMuchAGoalIsMissed() throws Exception {
        small(90_000, 100_000, 120_000);

        assertThat(report(false, false, Limit.SMALL).text())
                .containsPattern("StreamingRead, 512 B +8 +100,000 \\(90,000\u2013120,000\\) +blocks/s")
                .containsPattern("blocks/s +>= 200,000 +100,000 \\(90,000\u2013120,000\\) +MISSED by a factor of 2.00")
                .contains("Every block that was compared, read or written, had every byte that it should have.");
    }

    @Test
    void goalsOfWhatWasNotWantedAreLeftOut() throws Exception {
        assertThat(report(false, false, Limit.LOOKUP, Limit.SMALL).goals())
                .extracting(Goal.GoalVerdict::goal)
                .containsExactly("small", "lookup", "lookupOfEight", "slowLookupOfEight");
    }

    @Test
    void theJsonHasRoundsAndVerdicts() throws Exception {
        small(90_000, 250_000, 300_000);

        JsonNode json = new ObjectMapper().valueToTree(report(false, false, Limit.SMALL, Limit.FAR));

        assertThat(json.at("/figures/0/limit").asText()).isEqualTo("small");
        assertThat(json.at("/figures/0/rounds")).hasSize(3);
        assertThat(json.at("/figures/0/quantity").asText()).isEqualTo("blocks/s");
        assertThat(json.at("/goals/0/found/median").asDouble()).isEqualTo(250_000);
        assertThat(json.at("/goals/0/reached").asBoolean()).isTrue();
        assertThat(json.at("/goals/1/goal").asText()).isEqualTo("far");
        assertThat(json.at("/goals/1/reached").isNull()).isTrue();
    }

    @Test
    void aMissedGoalFailsOnlyARunThatIsStrict() throws Exception {
        small(100);

        assertThat(report(false, false, Limit.SMALL).holds()).isTrue();
        assertThat(report(false, true, Limit.SMALL).holds()).isFalse();
    }

    @Test
    void aStrictRunHoldsWhenGoalsAreReached() throws Exception {
        small(300_000);

        assertThat(report(false, true, Limit.SMALL).holds()).isTrue();
    }

    @Test
    void aFlawFailsTheRun() throws Exception {
        flaws.add("small: block 3 differs at byte 7");

        LimitsReport report = report(false, false, Limit.SMALL);

        assertThat(report.holds()).isFalse();
        assertThat(report.text())
                .contains("FAILED: small: block 3 differs at byte 7")
                .doesNotContain("Every block");
    }

    @Test
    void aRunThatWasInterruptedDoesNotHold() throws Exception {
        LimitsReport report = report(true, false, Limit.SMALL);

        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("not measured", "INTERRUPTED: what is above is what there was by then.");
    }

    @Test
    void aProgramThatIsMissingIsNamedWithItsPackage() throws Exception {
        missing = LimitsReport.MissingProgram.of(List.of(Limit.DISK, Limit.SMALL), new Programs(Map.of()));

        LimitsReport report = report(false, false, Limit.DISK);

        assertThat(report.text()).contains("MISSING disk: no fio; install fio");
        assertThat(report.holds()).isTrue();
    }

    @Test
    void nothingIsMissingThatIsThereOrNotWanted() throws Exception {
        Programs programs = new Programs(Map.of(PeerProgram.FIO, Path.of("/usr/bin/fio")));

        assertThat(LimitsReport.MissingProgram.of(List.of(Limit.DISK), programs))
                .isEmpty();
        assertThat(LimitsReport.MissingProgram.of(List.of(Limit.WRITE), new Programs(Map.of())))
                .isEmpty();
    }

    @Test
    void thePageSaysHowNearEachGoalIs() throws Exception {
        small(100_000);
        findings.add(Limit.FAR, TierTrials.CLOSED, TierTrials.FAR_CLIENTS, Quantity.P50, 1);

        ReportPage page = report(false, false, Limit.SMALL, Limit.FAR).page("kv bench limits");

        assertThat(page.summary()).endsWith("Of 2 goals 2 were measured and 1 reached.");
        assertThat(page.sections().getFirst().figures().getFirst())
                .isInstanceOfSatisfying(
                        Figure.Bars.class,
                        bars -> assertThat(bars.bars())
                                .extracting(Figure.Bar::value)
                                .containsExactly(0.5, 2.0));
    }
}
