package dev.kvstore.benchmark.kvcache.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.workload.Dataset.DatasetTalk;
import dev.kvstore.benchmark.kvcache.workload.Dataset.QuestionAndAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conversations in ShareGPT's form, and their requests. */
class DatasetTest {
    private static final String FORM = "{\"id\", \"conversations\": [{\"from\", \"value\"}, up to 10000 of these]}";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Dataset read(String text, int most) throws IOException {
        return read(text, most, false);
    }

    private Dataset read(String text, int most, boolean compat) throws IOException {
        return Dataset.read(
                Files.writeString(folder.resolve("d.json"), text),
                most,
                WorkloadConfig.usual().sharegpt(),
                null,
                compat);
    }

    private static String message(String from, String value) {
        return "{\"from\": \"" + from + "\", \"value\": \"" + value + "\"}";
    }

    private static String talk(String id, String... messages) {
        return "{\"id\": \"" + id + "\", \"more\": {\"a\": [1]}, \"conversations\": [" + String.join(",", messages)
                + "]}";
    }

    @Test
    void fourCharactersAreAToken() throws IOException {
        Dataset dataset = read(
                "[" + talk("a", message("human", "x".repeat(41)), message("gpt", "\\ud83d\\ude00".repeat(8))) + "]",
                10);

        assertThat(dataset.talks()).containsExactly(new DatasetTalk("a", List.of(new QuestionAndAnswer(10, 2))));
    }

    @Test
    void lengthsHaveBounds() throws IOException {
        Dataset dataset = read(
                "[" + talk("a", message("human", "x".repeat(100_000)), message("gpt", "x".repeat(100_000))) + ","
                        + talk("b", message("human", ""), message("gpt", "")) + "]",
                10);

        assertThat(dataset.talks().get(0).turns()).containsExactly(new QuestionAndAnswer(16_384, 2_048));
        assertThat(dataset.talks().get(1).turns()).containsExactly(new QuestionAndAnswer(1, 1));
    }

    @Test
    void onlyPairsOfAQuestionAndAnAnswerCount() throws IOException {
        String question = message("human", "xxxx");
        String answer = message("gpt", "xxxx");
        Dataset dataset = read(
                "[" + talk("none", message("system", "x"), answer) + ","
                        + talk("some", question, answer, answer, question, question, answer, question) + "]",
                10);

        assertThat(dataset)
                .isEqualTo(new Dataset(
                        List.of(new DatasetTalk(
                                "some", List.of(new QuestionAndAnswer(1, 1), new QuestionAndAnswer(1, 1)))),
                        1));
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 0"})
    void aConversationThatBeginsWithASystemsMessageCountsUnlessTheOriginalsWayIsAskedFor(boolean compat, int turns)
            throws IOException {
        String whole = talk("a", message("human", "x"), message("gpt", "x"));
        String system = talk("b", message("system", "x"), message("human", "x"), message("gpt", "x"));

        Dataset dataset = read("[" + whole + "," + system + "]", 10, compat);

        assertThat(dataset.talks()).hasSize(1 + turns);
        assertThat(dataset.leftOut()).isEqualTo(1 - turns);
    }

    @Test
    void whatComesBehindTheConversationsThatAreWantedIsNotRead() throws IOException {
        String one = talk("a", message("human", "x"), message("gpt", "x"));

        assertThat(read("[" + one + "," + one + ", this is no JSON", 2).talks()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | , line 1: must be a list of FORM",
                "[\\n5] | , line 2: an entry is not as in FORM",
                "[\\n{\"id\": 1}] | , line 2: an entry is not as in FORM",
                "[{\"conversations\": 3}] | , line 1: conversations is not as in FORM",
                "[{\"conversations\": [\\n3]}] | , line 2: conversations is not as in FORM",
                "[{\"conversations\": [{\"from\": 3}]}] | , line 1: conversations is not as in FORM",
                "[{\"conversations\": []}] | : has no question with an answer in its first 10 conversations",
                "[\\n\\n{\"conversations\" | , line 3: is no JSON",
            })
    void whatIsNoDatasetIsRefusedByFileAndLine(String text, String sentence) {
        assertThatThrownBy(() -> read(text.replace("\\n", "\n"), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .satisfies(message -> assertThat(message.replace(": line", ", line"))
                        .startsWith("--dataset-path: " + folder.resolve("d.json") + sentence.replace("FORM", FORM)));
    }

    @Test
    void aConversationOfMoreMessagesThanMemoryHoldsIsRefused() {
        String[] messages = new String[10_001];
        Arrays.fill(messages, message("human", "x"));

        assertThatThrownBy(() -> read("[" + talk("a", messages) + "]", 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("up to 10000 of these");
    }

    private static final Dataset TALKS = new Dataset(
            IntStream.range(0, 20)
                    .mapToObj(i -> new DatasetTalk(
                            "talk" + i,
                            List.of(
                                    new QuestionAndAnswer(10, 1),
                                    new QuestionAndAnswer(20, 2),
                                    new QuestionAndAnswer(30, 3))))
                    .toList(),
            0);

    private static List<UserRequest> requests(int cycles, ArrivalProcess arrival, boolean compat, long maxTokens) {
        DatasetReplay replay = new DatasetReplay(
                TALKS,
                User.population(3, WorkloadConfig.usual(), new MersenneTwister(42)),
                WorkloadConfig.usual(),
                new Workload.WorkloadRules(true, true, compat, arrival, 10, maxTokens, null, 42),
                cycles);
        List<UserRequest> all = new ArrayList<>();
        for (UserRequest next = replay.next(); next != null && all.size() < 1_000; next = replay.next()) {
            all.add(next);
        }
        return all;
    }

    @Test
    void eachConversationIsHeldOnceACycleByOneUserInTheOrderOfItsTurns() {
        List<UserRequest> requests = requests(1, ArrivalProcess.USERS, false, 0);

        assertThat(requests).hasSize(60).extracting(UserRequest::offsetNanos).isSorted();
        for (DatasetTalk talk : TALKS.talks()) {
            List<UserRequest> turns = requests.stream()
                    .filter(request -> request.key().startsWith(talk.name() + "_"))
                    .toList();
            assertThat(turns).extracting(UserRequest::contextTokens).containsExactly(10L, 20L, 30L);
            assertThat(turns).extracting(UserRequest::historyTokens).containsExactly(0L, 11L, 33L);
            assertThat(turns.stream().map(UserRequest::user).distinct()).hasSize(1);
            assertThat(turns.get(2).turnsBefore()).containsExactly(talk.name() + "_turn_1", talk.name() + "_turn_2");
        }
    }

    @Test
    void cyclesReplayAllAgainInAnotherOrder() {
        List<UserRequest> requests = requests(2, ArrivalProcess.FIXED, false, 0);

        assertThat(requests).hasSize(120);
        assertThat(requests.subList(0, 60).stream().map(UserRequest::key).toList())
                .isNotEqualTo(
                        requests.subList(60, 120).stream().map(UserRequest::key).toList())
                .containsExactlyInAnyOrderElementsOf(
                        requests.subList(60, 120).stream().map(UserRequest::key).toList());
    }

    @Test
    void withARateOneConversationFollowsTheOther() {
        List<UserRequest> requests = requests(1, ArrivalProcess.FIXED, false, 0);

        assertThat(requests.get(1).offsetNanos() - requests.get(0).offsetNanos())
                .isEqualTo(100_000_000);
        assertThat(requests.get(0).conversation()).isSameAs(requests.get(2).conversation());
    }

    @Test
    void asTheOriginalTurnsReadNoneBeforeThem() {
        assertThat(requests(1, ArrivalProcess.FIXED, true, 0))
                .allSatisfy(request -> assertThat(request.turnsAsOriginal()).isEmpty());
    }

    @Test
    void aConversationThatWouldBecomeTooLongIsNotGoneOnWith() {
        assertThat(requests(1, ArrivalProcess.USERS, false, 35)).hasSize(40);
    }

    @Test
    void theSameSeedMakesTheSameRequests() {
        assertThat(requests(2, ArrivalProcess.USERS, false, 0).stream()
                        .map(UserRequest::key)
                        .toList())
                .isEqualTo(requests(2, ArrivalProcess.USERS, false, 0).stream()
                        .map(UserRequest::key)
                        .toList());
    }
}
