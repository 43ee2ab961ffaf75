package dev.kvstore.benchmark.kvcache.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.RecordedFigures;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users as the original makes them for seed 42. */
class PopulationTest {
    private static final WorkloadConfig CONFIG = WorkloadConfig.usual();

    private static List<User> users(int count) {
        return User.population(count, CONFIG, new MersenneTwister(42));
    }

    @Test
    void theFirstUsersAreThoseOfTheOriginal() {
        assertThat(users(2))
                .containsExactly(
                        new User(0, 16_245, 481, 0.5938702245641714, QosClass.INTERACTIVE),
                        new User(1, 3_283, 189, 0.13477553305176648, QosClass.BATCH));
    }

    /** Every field of every user, to the last bit. */
    @Test
    void populationsOf1To500UsersAreThoseOfTheOriginal() {
        List<String> different = RecordedFigures.words("population.txt").stream()
                .filter(recorded ->
                        !digest(Integer.parseInt(recorded.getFirst())).equals(recorded.get(1)))
                .map(List::getFirst)
                .toList();

        assertThat(different).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "70, 11, 23, 579311, 21988, 41.249106",
        "100, 14, 35, 838307, 30861, 58.932097",
        "200, 25, 78, 1866025, 61716, 119.788868"
    })
    void classesAndSumsAreThoseOfTheOriginal(
            int count, long interactive, long responsive, long context, long generation, double think) {
        List<User> users = users(count);

        assertThat(users).filteredOn(user -> user.qos() == QosClass.INTERACTIVE).hasSize((int) interactive);
        assertThat(users).filteredOn(user -> user.qos() == QosClass.RESPONSIVE).hasSize((int) responsive);
        assertThat(users.stream().mapToLong(User::contextTokens).sum()).isEqualTo(context);
        assertThat(users.stream().mapToLong(User::generationTokens).sum()).isEqualTo(generation);
        assertThat(users.stream().mapToDouble(User::thinkSeconds).sum()).isCloseTo(think, within(1e-6));
    }

    private static String digest(int count) {
        return RecordedFigures.digest(users(count).stream()
                .map(user -> String.join(
                                ",",
                                user.name(),
                                Long.toString(user.contextTokens()),
                                Long.toString(user.generationTokens()),
                                RecordedFigures.hex(user.thinkSeconds()),
                                user.qos().name().toLowerCase(Locale.ROOT))
                        + "\n")
                .collect(Collectors.joining()));
    }
}
