package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.accounts.account.TrialCluster.TrialHistory;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrialClusterTest {
    private static Set<String> drawn(TrialHistory history, String... clusters) {
        Random random = new Random(1);
        return IntStream.range(0, 200)
                .mapToObj(_ ->
                        TrialCluster.draw(history, List.of(clusters), random).orElseThrow())
                .collect(Collectors.toSet());
    }

    private static TrialHistory toProve(
            @Nullable String placed, @Nullable String confirmedBy, @Nullable String triedBy) {
        return new TrialHistory(true, placed, confirmedBy, triedBy, false);
    }

    private static TrialHistory proven(@Nullable String placed, @Nullable String triedBy, boolean unreported) {
        return new TrialHistory(false, placed, null, triedBy, unreported);
    }

    @Test
    void anAccountThatIsPlacedNowhereIsTriedByAnyCluster() {
        assertThat(drawn(proven(null, null, false), "a", "b", "c")).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void thePlacedClusterComesFirstIfItIsThere() {
        assertThat(drawn(proven("b", null, false), "a", "b")).containsExactly("b");
        assertThat(drawn(proven("b", "b", false), "a", "b")).containsExactly("b");
        assertThat(drawn(toProve("b", null, null), "a", "b")).containsExactly("b");
        assertThat(drawn(proven("b", null, false), "a", "c")).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void aTrialThatRanOutGoesToAnotherClusterIfThereIsOne() {
        assertThat(drawn(proven("b", "b", true), "a", "b")).containsExactly("a");
        assertThat(drawn(proven(null, "b", true), "a", "b")).containsExactly("a");
        assertThat(drawn(proven(null, "b", true), "b")).containsExactly("b");
    }

    @Test
    void aProofIsConfirmedByAnotherClusterThanTheOneThatFoundIt() {
        assertThat(drawn(toProve("a", "a", "a"), "a", "b")).containsExactly("b");
        // The other cluster may be gone for good.
        assertThat(drawn(toProve(null, "a", "a"), "a")).containsExactly("a");
    }

    @Test
    void aFailureOfOneClusterLeadsToATrialByAThird() {
        assertThat(drawn(toProve("rogue", null, "rogue"), "a", "b", "rogue")).containsExactlyInAnyOrder("a", "b");
        assertThat(drawn(toProve("rogue", "a", "rogue"), "a", "b", "rogue")).containsExactly("b");
    }
}
