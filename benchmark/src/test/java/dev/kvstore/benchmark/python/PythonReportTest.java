package dev.kvstore.benchmark.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.python.PythonCase.PythonOperation;
import dev.kvstore.benchmark.python.PythonCase.PythonRound;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PythonReportTest {
    @Test
    void aRoundIsBytesOverTimes() {
        PythonRound round = PythonRound.of(3_000_000_000L, 2, 1.5);

        assertThat(round.gbPerSecond()).isEqualTo(1.5);
        assertThat(round.clientCpuSecondsPerGb()).isEqualTo(0.5);
    }

    @Test
    void aRatioIsTheMedianOfTheRatiosOfEachRound() {
        // The ratio of the medians would be 1.
        List<PythonGoal> goals = PythonGoal.of(
                List.of(reads(PythonPeer.KVSTORE, false, 2, 4, 9), reads(PythonPeer.TCP, false, 4, 4, 10)));

        assertThat(goals.getFirst().name()).isEqualTo("readVsTcp");
        assertThat(goals.getFirst().value().median()).isEqualTo(0.9);
        assertThat(goals.getFirst().value().min()).isEqualTo(0.5);
        assertThat(goals.getFirst().reached()).isTrue();
    }

    @Test
    void goalsAreOfReadingAloneAndOnlyWhereBothSidesWereMeasured() {
        List<PythonGoal> goals = PythonGoal.of(List.of(
                reads(PythonPeer.TCP, false, 2),
                reads(PythonPeer.KVSTORE, true, 1),
                reads(PythonPeer.UNVERIFIED, false, 1)));

        assertThat(goals).extracting(PythonGoal::name).containsExactly("readUnverifiedCpu");
    }

    @Test
    void aGoalOfProcessorTimeIsTheMostThatItMayBe() {
        List<PythonGoal> goals =
                PythonGoal.of(List.of(reads(PythonPeer.KVSTORE, false, 1), reads(PythonPeer.UNVERIFIED, false, 1)));

        // Each round of reads() takes 0.25 s/GB.
        assertThat(goals)
                .extracting(PythonGoal::name, PythonGoal::reached)
                .containsExactly(tuple("readCpu", true), tuple("readUnverifiedCpu", false));
    }

    @Test
    void theTableHasALineForEachClientAndNamesTheWayToAMissingOne() {
        String text = report(List.of()).text();

        assertThat(text)
                .containsPattern("raw TCP, recv_into +4 +0\\.25\n")
                .containsPattern("KV Store +2 +0\\.25\n")
                .containsPattern("KV Store +yes +0\\.5 +0\\.25\n")
                .containsPattern("Mooncake Store over TCP +no wheel; install the Debian package")
                .containsPattern("reading, GB/s of KV Store / raw TCP.* +0\\.5 +0\\.8 +MISSED")
                .containsPattern("Every\\sblock\\sthat\\swas\\sread\\shad\\severy\\sbyte");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
    }

    @Test
    void aWrongBlockFailsTheRunAndAMissedGoalDoesNot() {
        assertThat(report(List.of()).holds()).isTrue();
        PythonReport wrong = report(List.of("KV Store: block 3 of batch 0 is not what was stored"));

        assertThat(wrong.holds()).isFalse();
        assertThat(wrong.text())
                .contains("FAILED: KV Store: block 3 of batch 0")
                .doesNotContain("Every block");
    }

    @Test
    void theJsonHasEveryRoundAndWhatFollowsFromThem() throws Exception {
        JsonNode json = new ObjectMapper().valueToTree(report(List.of()));
        JsonNode first = json.get("cases").get(0);

        assertThat(first.get("peer").asText()).isEqualTo("tcp");
        assertThat(first.get("operation").asText()).isEqualTo("read");
        assertThat(first.at("/rounds/0/gbPerSecond").asDouble()).isEqualTo(4);
        assertThat(first.at("/gbPerSecond/median").asDouble()).isEqualTo(4);
        assertThat(first.at("/clientCpuSecondsPerGb/max").asDouble()).isEqualTo(0.25);
        assertThat(json.at("/missing/0/peer").asText()).isEqualTo("mooncake");
        assertThat(json.at("/goals/0/reached").asBoolean()).isFalse();
    }

    private static PythonCase reads(PythonPeer peer, boolean busy, double... gbPerSecond) {
        return new PythonCase(
                peer,
                PythonOperation.READ,
                busy,
                DoubleStream.of(gbPerSecond)
                        .mapToObj(rate -> new PythonRound(rate, 0.25))
                        .toList());
    }

    private static PythonReport report(List<String> flaws) {
        List<PythonCase> cases = List.of(
                reads(PythonPeer.TCP, false, 4),
                reads(PythonPeer.KVSTORE, false, 2),
                reads(PythonPeer.KVSTORE, true, 0.5));
        return new PythonReport(
                new PythonReport.PythonConditions(
                        "Linux amd64", 2, "Python 3.11.7", 0.1, 2, 3, 1, 1_200_000, 32, "memory (/dev/shm)"),
                cases,
                PythonGoal.of(cases),
                List.of(new PythonReport.MissingPythonPeer(
                        PythonPeer.MOONCAKE, "no wheel; install the Debian package libibverbs1")),
                flaws,
                false);
    }
}
