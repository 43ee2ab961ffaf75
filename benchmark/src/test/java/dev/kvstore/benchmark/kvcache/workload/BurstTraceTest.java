package dev.kvstore.benchmark.kvcache.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces in BurstGPT's form. */
class BurstTraceTest {
    private static final String HEADER = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n";

    /** A trace of a real service, which is no part of this repository. */
    private static final Path MOONCAKE = Path.of("../../shared/traces/mooncake-fast25-conversation.jsonl");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private List<UserRequest> requests(BurstTrace trace, double speedup, int cycles) {
        List<UserRequest> all = new ArrayList<>();
        Workload.WorkloadRules rules =
                new Workload.WorkloadRules(true, true, false, ArrivalProcess.USERS, 0, 0, null, 42);
        try (BurstReplay replay = new BurstReplay(trace, WorkloadConfig.usual(), rules, speedup, cycles)) {
            for (UserRequest next = replay.next(); next != null && all.size() < 100_000; next = replay.next()) {
                all.add(next);
            }
        }
        return all;
    }

    @Test
    void requestsHaveTheTracesLengthsAndTimes() throws IOException {
        Path file = file("a.csv", HEADER + "5,ChatGPT,472,18,490,Conversation log\n45.5,GPT-4,1087,230,1317,API log\n");

        assertThat(requests(BurstTrace.find(file.toString()), 1, 1))
                .extracting(UserRequest::offsetNanos, UserRequest::contextTokens, UserRequest::generationTokens)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0L, 472L, 18L),
                        org.assertj.core.groups.Tuple.tuple(40_500_000_000L, 1_087L, 230L));
    }

    @Test
    void aSpeedupDividesTimesAndCyclesFollowEachOther() throws IOException {
        Path file = file("a.csv", HEADER + "0,m,1,1,2,l\n10,m,2,1,3,l\n");

        assertThat(requests(BurstTrace.find(file.toString()), 10, 2))
                .extracting(UserRequest::offsetNanos)
                .containsExactly(0L, 1_000_000_000L, 1_000_000_000L, 2_000_000_000L);
    }

    /** Else requests of the second file would arrive in the past. */
    @Test
    void aFileWhoseTimesBeginAnewGoesOnWhereTheOneBeforeEnded() throws IOException {
        file("1.csv", HEADER + "0,m,1,1,2,l\n10,m,2,1,3,l\n");
        file("2.csv", HEADER + "3,m,3,1,4,l\n4,m,4,1,5,l\n");
        file("no.txt", "nothing");

        assertThat(requests(BurstTrace.find(folder.toString()), 1, 1))
                .extracting(UserRequest::offsetNanos)
                .containsExactly(0L, 10_000_000_000L, 10_000_000_000L, 11_000_000_000L);
        assertThat(BurstTrace.find(folder.resolve("*.csv").toString()).files()).hasSize(2);
    }

    @Test
    void requestsShareNoEntriesAndTheSameSeedMakesTheSameClasses() throws IOException {
        Path file = file("a.csv", HEADER + "0,m,100,1,2,l\n".repeat(1_500));
        List<UserRequest> first = requests(BurstTrace.find(file.toString()), 1, 1);

        assertThat(first).extracting(UserRequest::key).doesNotHaveDuplicates();
        assertThat(first).isEqualTo(requests(BurstTrace.find(file.toString()), 1, 1));
        assertThat(first.stream().map(request -> request.user().qos()).distinct())
                .hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,m,x,1,2,l | line 2: Request tokens must be 0 to 10000000, not 'x'",
                "0,m,-1,1,2,l | line 2: Request tokens must be 0 to 10000000, not '-1'",
                "0,m,1,99999999999,2,l | line 2: Response tokens must be 0 to 10000000, not '99999999999'",
                "soon,m,1,1,2,l | line 2: Timestamp must be seconds, 0 or more, not 'soon'",
                "-1,m,1,1,2,l | line 2: Timestamp must be seconds, 0 or more, not '-1'",
                "NaN,m,1,1,2,l | line 2: Timestamp must be seconds, 0 or more, not 'NaN'",
                "0,m,1 | line 2: has 3 fields, the header has 6",
            })
    void aLineThatIsNoRequestIsRefusedByFileAndLine(String line, String sentence) throws IOException {
        Path file = file("bad.csv", HEADER + line + "\n");

        assertThatThrownBy(() -> BurstTrace.find(file.toString()).check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--burst-trace-path: " + file + ", " + sentence);
    }

    @Test
    void aLineWithoutEndIsRefusedBeforeItFillsTheMemory() throws IOException {
        Path file = file("long.csv", HEADER + "1".repeat(1_000_000));

        assertThatThrownBy(() -> BurstTrace.find(file.toString()).check())
                .hasMessageEndingWith("line 2: has more than 4096 characters");
    }

    @Test
    void aFileWithoutTheColumnsOrWithoutRequestsIsRefused() throws IOException {
        Path other = file("other.csv", "a,b\n1,2\n");
        Path empty = file("empty.csv", HEADER);

        assertThatThrownBy(() -> BurstTrace.find(other.toString()).check())
                .hasMessageEndingWith("other.csv, line 1: has no column 'Timestamp'");
        assertThatThrownBy(() -> BurstTrace.find(empty.toString()).check())
                .hasMessageEndingWith("empty.csv: has no requests");
        assertThatThrownBy(() -> BurstTrace.find(folder.resolve("none.csv").toString()))
                .hasMessageStartingWith("--burst-trace-path: no CSV file is at ");
    }

    /** Its lengths and times, in BurstGPT's columns. */
    @Test
    void aTraceOfARealServiceIsReplayedWhole() throws IOException {
        assumeThat(MOONCAKE).as("missing: " + MOONCAKE + ", the shared trace").isRegularFile();
        StringBuilder text = new StringBuilder(HEADER);
        long tokens = 0;
        ObjectMapper json = new ObjectMapper();
        try (Stream<String> lines = Files.lines(MOONCAKE)) {
            for (String line : lines.limit(5_000).toList()) {
                JsonNode request = json.readTree(line);
                tokens += request.path("input_length").asLong();
                text.append(request.path("timestamp").asLong() / 1e3)
                        .append(",m,")
                        .append(request.path("input_length").asLong())
                        .append(',')
                        .append(request.path("output_length").asLong())
                        .append(",0,l\n");
            }
        }
        List<UserRequest> requests =
                requests(BurstTrace.find(file("m.csv", text.toString()).toString()), 1, 1);

        assertThat(requests).hasSize(5_000);
        assertThat(requests.stream().mapToLong(UserRequest::contextTokens).sum())
                .isEqualTo(tokens);
        assertThat(requests).extracting(UserRequest::offsetNanos).isSorted();
    }
}
