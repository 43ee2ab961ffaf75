package dev.kvstore.benchmark.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an honest client has not noticed an attack. */
class AttackReportTest {
    private static final AttackReport.Cores NO_CORES = new AttackReport.Cores(0, 0, 0);
    private static final long BOUND = 1_000_000;

    @Test
    void holdsIfNoCallWasLostAndTheMedianRatioIsSmall() {
        AttackReport report = report(1_000, true, false, window(0, 10, ""), window(0, 29, ""), window(0, 500, ""));

        assertThat(report.holds()).isTrue();
        assertThat(report.cases().getFirst().clientRatio()).isEqualTo(2.9);
        assertThat(report.text()).containsPattern("no\\sprocess\\stook\\smore\\smemory\\sthan\\sdocumented\\.");
    }

    @ParameterizedTest(name = "{0} done, {5} won, alive {1}, interrupted {2}, {3} lost, p99 of {4} ms")
    @CsvSource({
        "0, true, false, 0, 10, 0",
        "1, false, false, 0, 10, 0",
        "1, true, true, 0, 10, 0",
        "1, true, false, 1, 10, 0",
        "1, true, false, 0, 31, 0",
        "1, true, false, 0, 10, 1",
    })
    void failsIfTheClientNoticedOrTheAttackerWonOrNothingWasTried(
            long done, boolean alive, boolean interrupted, int lost, double p99, long won) {
        AttackReport report =
                report(new Attacker.AttackOutcome(done, won), alive, interrupted, window(lost, p99, "refused"));

        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("FAILED");
    }

    @Test
    void failsIfTheProcessDiedBeforeTheFirstPair() {
        assertThat(report(1, false, false).holds()).isFalse();
    }

    @Test
    void failsIfAProcessTookMoreMemoryThanItsBound() {
        AttackReport report = report(
                new Attacker.AttackOutcome(1, 0),
                true,
                false,
                BOUND + 1,
                window(0, 10, ""),
                List.of(window(0, 10, "")));

        assertThat(report.holds()).isFalse();
    }

    @Test
    void failsIfACallWasLostWhileTheProgramsHadJustStarted() {
        AttackReport report = report(
                new Attacker.AttackOutcome(1, 0),
                true,
                false,
                BOUND,
                window(1, 500, "refused"),
                List.of(window(0, 10, "")));

        assertThat(report.holds()).isFalse();
        assertThat(report.cases().getFirst().clientRatio()).isEqualTo(1.0);
        assertThat(report.text()).contains("1 of 160").contains("refused");
    }

    @Test
    void saysWhatTheFirstLostCallHeard() {
        AttackReport report = report(1, true, false, window(0, 10, ""), window(2, 10, "too many connections"));

        assertThat(report.text()).contains("2 of 240").contains("too many connections");
        assertThat(report.page("kv bench attack").sections())
                .singleElement()
                .extracting(ReportPage.Section::heading)
                .isEqualTo("Attacks, and honest users' calls");
    }

    @Test
    void failsIfAnAdminLostACall() {
        AttackReport report = ofAdmin(window(0, 10, ""), window(1, 10, "no connection"));

        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("1 of 320").contains("no connection");
    }

    @Test
    void failsIfAnAdminWaitedLong() {
        assertThat(ofAdmin(window(0, 10, ""), window(0, 31, "")).holds()).isFalse();
        assertThat(ofAdmin(window(0, 10, ""), window(0, 29, "")).holds()).isTrue();
    }

    @Test
    void saysWhichProcessorsAnAttackTook() throws Exception {
        AttackReport.Half quiet =
                new AttackReport.Half(window(0, 10, ""), null, new AttackReport.Cores(0.1, 0.1, 0.05));
        AttackReport.Half attacked =
                new AttackReport.Half(window(0, 10, ""), null, new AttackReport.Cores(1.1, 0.3, 0.1));
        AttackReport report = report(
                new Attacker.AttackOutcome(1, 0),
                true,
                false,
                BOUND,
                quiet,
                List.of(new AttackReport.QuietAndAttack(quiet, attacked)));

        assertThat(report.text()).contains("1.25");
        assertThat(new ObjectMapper()
                        .valueToTree(report)
                        .at("/cases/0/coresTaken")
                        .asDouble())
                .isCloseTo(1.25, within(1e-9));
    }

    @Test
    void anAttackWithoutFiguresIsNamedAndDoesNotHold() {
        AttackReport measured = report(1, true, false, window(0, 10, ""));
        AttackReport report = new AttackReport(
                measured.pairs(),
                measured.seconds(),
                measured.cases(),
                List.of(new AttackReport.Unmeasured("log-bomb", "the account was not ready")),
                false);

        assertThat(measured.holds()).isTrue();
        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("NOT MEASURED: the account was not ready");
    }

    private static HonestCalls.CallWindow window(int lost, double p99Millis, String failure) {
        return new HonestCalls.CallWindow(80, lost, p99Millis, failure);
    }

    private static AttackReport.Half half(HonestCalls.CallWindow client) {
        return new AttackReport.Half(client, null, NO_CORES);
    }

    private static AttackReport ofAdmin(HonestCalls.CallWindow quiet, HonestCalls.CallWindow attacked) {
        HonestCalls.CallWindow client = window(0, 10, "");
        AttackReport.Half first = new AttackReport.Half(client, quiet, NO_CORES);
        AttackReport.Half second = new AttackReport.Half(client, attacked, NO_CORES);
        return report(
                new Attacker.AttackOutcome(1, 0),
                true,
                false,
                BOUND,
                first,
                List.of(new AttackReport.QuietAndAttack(first, second)));
    }

    private static AttackReport report(
            long done, boolean alive, boolean interrupted, HonestCalls.CallWindow... attacked) {
        return report(new Attacker.AttackOutcome(done, 0), alive, interrupted, attacked);
    }

    private static AttackReport report(
            Attacker.AttackOutcome attacker, boolean alive, boolean interrupted, HonestCalls.CallWindow... attacked) {
        return report(attacker, alive, interrupted, BOUND, window(0, 10, ""), Arrays.asList(attacked));
    }

    private static AttackReport report(
            Attacker.AttackOutcome attacker,
            boolean alive,
            boolean interrupted,
            long bytes,
            HonestCalls.CallWindow first,
            List<HonestCalls.CallWindow> attacked) {
        List<AttackReport.QuietAndAttack> pairs = attacked.stream()
                .map(one -> new AttackReport.QuietAndAttack(half(window(0, 10, "")), half(one)))
                .toList();
        return report(attacker, alive, interrupted, bytes, half(first), pairs);
    }

    private static AttackReport report(
            Attacker.AttackOutcome attacker,
            boolean alive,
            boolean interrupted,
            long bytes,
            AttackReport.Half first,
            List<AttackReport.QuietAndAttack> pairs) {
        return new AttackReport(
                pairs.size(),
                4,
                List.of(new AttackReport.AttackCase(
                        "pings",
                        "pings",
                        attacker,
                        new AttackReport.ResidentMemory(bytes, BOUND),
                        alive,
                        first,
                        pairs)),
                List.of(),
                interrupted);
    }
}
