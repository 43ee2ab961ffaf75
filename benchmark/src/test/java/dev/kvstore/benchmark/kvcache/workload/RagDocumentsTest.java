package dev.kvstore.benchmark.kvcache.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.RagRules;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Documents, their chunks, and the requests that read them. */
class RagDocumentsTest {
    private static final RagRules USUAL = WorkloadConfig.usual().rag();
    private final Draws draws = Draws.of(42, 0, 0);

    private static Model model(String name) {
        return Objects.requireNonNull(WorkloadConfig.usual().models().get(name));
    }

    private static RagRules rules(int top, String retrieval, int most) {
        return new RagRules(512, top, USUAL.maxChunkBytes(), most, 0.1, retrieval, 1_024, 4_096, 4_000, 12_000);
    }

    private static RagDocuments of(int number, RagRules rules) {
        return RagDocuments.of(number, rules, model("llama3.1-8b"), 42);
    }

    private static long tokens(RagDocuments.RagDocument document) {
        return document.chunks().stream().mapToLong(RagDocuments.Chunk::tokens).sum();
    }

    @Test
    void aDocumentIsCutIntoChunksOfWhichTheLastMayBeShorter() {
        assertThat(of(50, USUAL).all()).allSatisfy(document -> {
            assertThat(tokens(document)).isBetween(4_000L, 12_000L);
            assertThat(document.chunks().stream()
                            .limit(document.chunks().size() - 1)
                            .mapToLong(RagDocuments.Chunk::tokens))
                    .containsOnly(512L);
            assertThat(document.chunks().getLast().tokens()).isBetween(1L, 512L);
        });
    }

    @Test
    void documentsOfALargeModelAreShorter() {
        assertThat(RagDocuments.of(50, USUAL, model("llama3.1-70b-instruct"), 42)
                        .all())
                .allSatisfy(document -> assertThat(tokens(document)).isBetween(1_024L, 4_096L));
    }

    /** 100 tokens of 131,072 bytes. */
    @Test
    void aChunkHasNoMoreBytesThanItMay() {
        RagRules small = new RagRules(512, 5, 13_107_200, 0, 0.1, "zipfian", 1_024, 4_096, 4_000, 12_000);

        assertThat(of(1, small).all().getFirst().chunks().getFirst().tokens()).isEqualTo(100);
    }

    @Test
    void theFirstChunksAreFoundMoreOften() {
        RagDocuments documents = of(1, rules(1, "zipfian", 0));
        RagDocuments.RagDocument document = documents.all().getFirst();
        double harmonic = IntStream.rangeClosed(1, document.chunks().size())
                .mapToDouble(i -> 1.0 / i)
                .sum();
        long first = IntStream.range(0, 20_000)
                .filter(_ -> documents
                        .retrieve(document, draws)
                        .getFirst()
                        .equals(document.chunks().getFirst()))
                .count();

        assertThat(first / 20_000.0).isCloseTo(1 / harmonic, within(0.02));
    }

    @Test
    void uniformlyAllAreFoundEquallyOften() {
        RagDocuments documents = of(1, rules(1, "uniform", 0));
        RagDocuments.RagDocument document = documents.all().getFirst();
        long first = IntStream.range(0, 20_000)
                .filter(_ -> documents
                        .retrieve(document, draws)
                        .getFirst()
                        .equals(document.chunks().getFirst()))
                .count();

        assertThat(first / 20_000.0).isCloseTo(1.0 / document.chunks().size(), within(0.02));
    }

    @Test
    void oneLookFindsEachChunkOnceAndNoMoreThanThereAre() {
        RagDocuments documents = of(1, rules(100, "zipfian", 0));
        RagDocuments.RagDocument document = documents.all().getFirst();

        assertThat(documents.retrieve(document, draws)).containsExactlyInAnyOrderElementsOf(document.chunks());
    }

    @Test
    void beyondTheMostTheOldestDocumentsArePushedOutAndNotAskedAbout() {
        RagDocuments documents = of(10, rules(5, "zipfian", 3));

        assertThat(documents.pushedOut()).hasSize(7).isEqualTo(documents.all().subList(0, 7));
        assertThat(IntStream.range(0, 200).mapToObj(_ -> documents.choose(draws)))
                .doesNotContainAnyElementsOf(documents.pushedOut());
    }

    private static List<UserRequest> requests(boolean compat) {
        Workload workload = new Workload(
                User.population(20, WorkloadConfig.usual(), new MersenneTwister(42)),
                WorkloadConfig.usual(),
                new Workload.WorkloadRules(true, true, compat, ArrivalProcess.USERS, 0, 0, of(10, USUAL), 42));
        return IntStream.range(0, 5_000)
                .mapToObj(_ -> Objects.requireNonNull(workload.next()))
                .toList();
    }

    @Test
    void aTenthOfRequestsReadsChunksAndATenthIsFollowedByAQuestionAboutADocument() {
        List<UserRequest> requests = requests(false);
        List<UserRequest> users = requests.stream()
                .filter(request -> request.phase() != RequestPhase.DECODE)
                .toList();

        assertThat((double) users.stream()
                                .filter(request -> !request.chunks().isEmpty())
                                .count()
                        / users.size())
                .isCloseTo(0.1, within(0.02));
        assertThat((double) (requests.size() - users.size()) / users.size()).isCloseTo(0.1, within(0.02));
    }

    @Test
    void aQuestionAboutADocumentReadsItsChunksAndArrivesWithItsUsersRequest() {
        List<UserRequest> requests = requests(false);
        for (int i = 1; i < requests.size(); i++) {
            UserRequest question = requests.get(i);
            if (question.phase() == RequestPhase.DECODE) {
                assertThat(question.chunks()).hasSize(5);
                assertThat(question.contextTokens())
                        .isEqualTo(question.chunks().stream()
                                .mapToLong(RagDocuments.Chunk::tokens)
                                .sum());
                assertThat(question.offsetNanos()).isEqualTo(requests.get(i - 1).offsetNanos());
                assertThat(question.generationTokens()).isBetween(50L, 200L);
            }
        }
    }

    /** In the original a question reads an entry of its own, and chunks by the chance that any request has. */
    @Test
    void asTheOriginalMostQuestionsReadNoChunks() {
        List<UserRequest> questions = requests(true).stream()
                .filter(request -> request.phase() == RequestPhase.DECODE)
                .toList();

        assertThat((double) questions.stream()
                                .filter(request -> request.chunks().isEmpty())
                                .count()
                        / questions.size())
                .isCloseTo(0.9, within(0.1));
    }
}
