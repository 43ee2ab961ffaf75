package dev.kvstore.benchmark.kvcache.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as users make them. */
class WorkloadTest {
    private static final WorkloadConfig CONFIG = WorkloadConfig.usual();
    private static final double NANOS = 1e9;

    private static Workload workload(int users, long seed, boolean multiTurn, boolean compat, ArrivalProcess arrival) {
        return new Workload(
                User.population(users, CONFIG, new MersenneTwister(seed)),
                CONFIG,
                new Workload.WorkloadRules(multiTurn, true, compat, arrival, 100, 0, null, seed));
    }

    private static List<UserRequest> requests(Workload workload, int count) {
        List<UserRequest> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Objects.requireNonNull(workload.next()));
        }
        return all;
    }

    private static String hash(List<UserRequest> requests) {
        StreamHash hash = new StreamHash();
        requests.forEach(hash::add);
        return hash.hex();
    }

    @Test
    void theSameSeedMakesTheSameRequests() {
        String one = hash(requests(workload(50, 42, true, false, ArrivalProcess.USERS), 2_000));
        String other = hash(requests(workload(50, 42, true, false, ArrivalProcess.USERS), 2_000));

        assertThat(one).isEqualTo(other);
    }

    @Test
    void anotherSeedMakesOtherRequests() {
        assertThat(hash(requests(workload(50, 43, true, false, ArrivalProcess.USERS), 100)))
                .isNotEqualTo(hash(requests(workload(50, 42, true, false, ArrivalProcess.USERS), 100)));
    }

    @Test
    void requestsArriveInTheOrderOfTheirTimes() {
        assertThat(requests(workload(50, 42, true, false, ArrivalProcess.USERS), 2_000))
                .extracting(UserRequest::offsetNanos)
                .isSorted();
    }

    /** The rate that the original offers with 200 users and seed 42. */
    @Test
    void usersOfferWhatTheirThinkTimesSay() {
        List<UserRequest> all = requests(workload(200, 42, true, false, ArrivalProcess.USERS), 20_000);

        assertThat(all.size() / (all.getLast().offsetNanos() / NANOS)).isCloseTo(482.75, within(5.0));
    }

    @Test
    void aUserThinksGiveOrTakeAFifth() {
        Map<User, Long> before = new HashMap<>();
        for (UserRequest request : requests(workload(20, 42, true, false, ArrivalProcess.USERS), 2_000)) {
            double gap = (request.offsetNanos() - before.getOrDefault(request.user(), 0L)) / NANOS;
            assertThat(gap / request.user().thinkSeconds()).isBetween(0.8 - 1e-6, 1.2 + 1e-6);
            before.put(request.user(), request.offsetNanos());
        }
    }

    @Test
    void requestsAskForAQuarterOfTheUsersMostOrMore() {
        assertThat(requests(workload(50, 42, true, false, ArrivalProcess.USERS), 2_000))
                .allSatisfy(request -> {
                    assertThat(request.contextTokens())
                            .isBetween(
                                    request.user().contextTokens() / 4,
                                    request.user().contextTokens());
                    assertThat(request.generationTokens())
                            .isBetween(
                                    request.user().generationTokens() / 4,
                                    request.user().generationTokens());
                });
    }

    @Test
    void aContextOfTenThousandTokensIsNotDecoded() {
        assertThat(requests(workload(50, 42, true, false, ArrivalProcess.USERS), 2_000))
                .allSatisfy(request -> assertThat(request.phase())
                        .isEqualTo(
                                request.contextTokens() >= 10_000
                                        ? RequestPhase.PREFILL
                                        : RequestPhase.PREFILL_DECODE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConversationEndsAfterATurnWithOneChanceInFive(boolean compat) {
        List<UserRequest> all = requests(workload(50, 42, true, compat, ArrivalProcess.USERS), 20_000);

        assertThat(all.stream().filter(request -> request.turn() == 1).count() / (double) all.size())
                .isCloseTo(0.2, within(0.01));
    }

    @Test
    void aRequestReadsAllTurnsBeforeIt() {
        UserRequest third = requests(workload(1, 42, true, false, ArrivalProcess.USERS), 100).stream()
                .filter(request -> request.turn() == 3)
                .findFirst()
                .orElseThrow();
        String conversation = third.key().substring(0, third.key().length() - 1);

        assertThat(third.turnsBefore()).containsExactly(conversation + "1", conversation + "2");
    }

    /** In the original those of a queue's later requests are among them. */
    @Test
    void theOriginalReadsTurnsThatBeganLaterToo() {
        UserRequest second = requests(workload(1, 42, true, true, ArrivalProcess.USERS), 100).stream()
                .filter(request ->
                        request.turn() == 2 && request.turnsAsOriginal().size() > 2)
                .findFirst()
                .orElseThrow();

        assertThat(second.turnsAsOriginal()).doesNotContain(second.key()).anyMatch(key -> key.endsWith("_turn_3"));
    }

    @Test
    void withoutConversationsNoKeyComesTwice() {
        Set<String> keys = new HashSet<>();

        assertThat(requests(workload(50, 42, false, false, ArrivalProcess.USERS), 2_000))
                .allMatch(request -> keys.add(request.key()))
                .allMatch(request -> request.turnsBefore().isEmpty());
    }

    /** More users than conversations: most are pushed out before their user asks again. */
    @Test
    void asInTheOriginalAUserEndsWhoseConversationWasPushedOut() {
        Workload workload = workload(3_000, 42, true, true, ArrivalProcess.USERS);
        int made = 0;
        while (made < 100_000 && workload.next() != null) {
            made++;
        }

        assertThat(countOfUsers(workload, 5_000)).isLessThan(1_100);
        assertThat(countOfUsers(workload(3_000, 42, true, false, ArrivalProcess.USERS), 50_000))
                .isEqualTo(3_000);
    }

    private static long countOfUsers(Workload workload, int requests) {
        return requests(workload, requests).stream()
                .map(UserRequest::user)
                .distinct()
                .count();
    }

    @Test
    void oneRequestInFiveBeginsWithASharedPrompt() {
        List<UserRequest> all = requests(workload(50, 42, true, false, ArrivalProcess.USERS), 10_000);

        assertThat(all.stream().filter(request -> request.prompt() != null).count() / (double) all.size())
                .isCloseTo(0.2, within(0.02));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "USERS")
    void arrivalsHaveTheRateThatWasAskedFor(ArrivalProcess arrival) {
        List<UserRequest> all = requests(workload(20, 42, true, false, arrival), 50_000);

        assertThat(all.size() / (all.getLast().offsetNanos() / NANOS)).isCloseTo(100, within(4.0));
    }
}
