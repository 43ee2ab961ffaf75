package dev.kvstore.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PickerTest {
    private static final int KEYS = 10_000;
    private static final long BASE = RoutingRules.EJECTION_BASE.toNanos();
    private static final long RETURN = RoutingRules.RETURN.toNanos();

    @Test
    void withoutARouteThereIsNoProcess() {
        assertThat(new Picker<FakeCandidate>().pick(1, Set.of(), 0)).isNull();
        assertThat(new Picker<FakeCandidate>().home(1)).isEqualTo(-1);
    }

    @Test
    void tenThousandConversationsSpreadWithinAQuarterOfEven() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        Map<FakeCandidate, Integer> counts = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            counts.merge(fleet.pick(key(i), 0), 1, Integer::sum);
        }
        assertThat(counts).hasSize(8);
        assertThat(counts.values()).allMatch(count -> count <= 1.25 * KEYS / 8);
    }

    @Test
    void whenOneDiesOnlyItsShareMovesAndSpreads() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        FakeCandidate dead = fleet.get("region-0/3");
        Map<Integer, FakeCandidate> before = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            before.put(i, fleet.pick(key(i), 0));
        }
        dead.health.failed(0, 0, true);
        Set<FakeCandidate> heirs = new HashSet<>();
        for (int i = 0; i < KEYS; i++) {
            FakeCandidate after = fleet.pick(key(i), 1);
            if (before.get(i) == dead) {
                assertThat(after).isNotSameAs(dead);
                heirs.add(after);
            } else {
                assertThat(after).isSameAs(before.get(i));
            }
        }
        assertThat(heirs).hasSize(7);
    }

    @Property(tries = 100)
    void noProcessCarriesMoreThanItsBoundHoweverHotAKeyIs(
            @ForAll long key,
            @ForAll @IntRange(min = 1, max = 10) int count,
            @ForAll @IntRange(min = 1, max = 300) int calls) {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, count));
        for (int i = 0; i < calls; i++) {
            fleet.pick(key, 0).inFlight++;
        }
        assertThat(fleet.processes.values()).allMatch(p -> p.inFlight <= Picker.bound(calls, 1, count));
    }

    @Test
    void aQuietKeyStaysAtItsProcessUpToTheLeastBound() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        FakeCandidate first = fleet.pick(42, 0);
        first.inFlight = RoutingRules.LEAST_BOUND - 1;
        assertThat(fleet.pick(42, 0)).isSameAs(first);
        first.inFlight = RoutingRules.LEAST_BOUND;
        assertThat(fleet.pick(42, 0)).isNotSameAs(first);
    }

    @Test
    void aProcessOfTwiceTheWeightMayCarryTwiceAsMuch() {
        assertThat(Picker.bound(799, 2, 8)).isEqualTo(250);
        assertThat(Picker.bound(799, 1, 8)).isEqualTo(125);
    }

    @Test
    void whatWasTriedIsNotTriedAgainWhileThereIsAnother() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 3));
        FakeCandidate first = fleet.pick(7, 0);
        FakeCandidate second = fleet.pick(7, 0, first);
        FakeCandidate third = fleet.pick(7, 0, first, second);
        assertThat(Set.of(first, second, third)).hasSize(3);
        assertThat(fleet.pick(7, 0, first, second, third)).isSameAs(first);
    }

    @Test
    void anEjectedProcessIsTriedByOneOperationAtATimeOnceItsTimeIsOver() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 2));
        FakeCandidate first = fleet.pick(42, 0);
        first.health.failed(0, 0, true);
        assertThat(fleet.pick(42, BASE - 1)).isNotSameAs(first);
        assertThat(fleet.choose(42, BASE)).isEqualTo(new Picker.Choice<>(first, 0, true));
        assertThat(fleet.pick(42, BASE)).isNotSameAs(first);
        first.health.answered(BASE);
        first.health.endTrial();
        assertThat(fleet.choose(42, BASE)).isEqualTo(new Picker.Choice<>(first, 0, false));
    }

    @Test
    void theOnlyProcessIsUsedEvenIfItFailed() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 1));
        FakeCandidate only = fleet.get("region-0/0");
        only.health.failed(0, 0, true);
        assertThat(fleet.pick(1, 1)).isSameAs(only);
        assertThat(fleet.pick(1, 1, only)).isSameAs(only);
    }

    @Test
    void levelsTakeConversationsByTheirShares() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 700, 4, 300, 4));
        long far = 0;
        for (int i = 0; i < KEYS; i++) {
            far += fleet.pick(key(i), 0).name.startsWith("region-1") ? 1 : 0;
        }
        assertThat((double) far / KEYS).isCloseTo(0.3, within(0.02));
    }

    @Test
    void aChangedShareMovesOnlyWhatItHasTo() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 4, 500, 4));
        int[] before = new int[KEYS];
        for (int i = 0; i < KEYS; i++) {
            before[i] = fleet.picker.home(key(i));
        }
        fleet.follow(FakeCandidate.route("2", 1000, 4, 250, 4), 0);
        for (int i = 0; i < KEYS; i++) {
            if (fleet.picker.home(key(i)) != before[i]) {
                assertThat(fleet.picker.home(key(i))).isZero();
            }
        }
    }

    @Test
    void theNextLevelTakesOverWhenNothingInTheFirstIsLeft() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 3, 0, 2));
        fleet.fail("region-0", 0);
        for (int i = 0; i < 100; i++) {
            assertThat(fleet.pick(key(i), 1).name).startsWith("region-1");
        }
    }

    @Test
    void theNextLevelTakesOverForWhoHasTriedAllOfTheFirst() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 1, 0, 1));
        assertThat(fleet.pick(7, 0, fleet.get("region-0/0"))).isSameAs(fleet.get("region-1/0"));
    }

    @Test
    void keysComeBackToALevelEachAtItsOwnMoment() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 3, 0, 2));
        fleet.fail("region-0", 0);
        fleet.pick(1, 1);
        fleet.heal("region-0", 10);
        long back = 11;
        fleet.pick(1, back); // the first to see it
        assertThat(atHome(fleet, back)).isLessThan(0.01);
        assertThat(atHome(fleet, back + RETURN / 2)).isCloseTo(0.5, within(0.02));
        assertThat(atHome(fleet, back + RETURN - 1)).isGreaterThan(0.999);
        assertThat(atHome(fleet, back + RETURN)).isEqualTo(1);
    }

    @Test
    void aLevelThatComesWithALaterRouteIsFilledOverTime() {
        FakeCandidate.FakeFleet fleet =
                new FakeCandidate.FakeFleet(new Route("1", List.of(FakeCandidate.level("region-1", 1000, 2))));
        fleet.follow(FakeCandidate.route("2", 1000, 3, 0, 2), 5);
        assertThat(atHome(fleet, 5 + RETURN / 2)).isCloseTo(0.5, within(0.02));
        assertThat(atHome(fleet, 5 + RETURN)).isEqualTo(1);
    }

    @Test
    void aLevelThatMovesUpServesOnWhenTheLevelBeforeItIsLost() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(near(2, 2));
        fleet.fail("a/", 0);
        assertThat(served(fleet, "b/", 1)).isEqualTo(1);

        fleet.follow(near(0, 2), 2);

        assertThat(served(fleet, "b/", 3)).isEqualTo(1);
    }

    @Test
    void aLevelThatMovesDownServesOnWhileTheLevelBeforeItIsFilledOverTime() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(near(0, 2));

        fleet.follow(near(2, 2), 5);

        assertThat(served(fleet, "b/", 6)).isGreaterThan(0.99);
        assertThat(served(fleet, "a/", 5 + RETURN / 2)).isCloseTo(0.5, within(0.02));
        assertThat(served(fleet, "a/", 5 + RETURN)).isEqualTo(1);
    }

    @Test
    void newDataPlanesInPlaceOfAllOfALevelServeAtOnce() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(near(2, 0));

        fleet.follow(near(0, 2), 5);

        assertThat(served(fleet, "b/", 6)).isEqualTo(1);
    }

    /** Two clusters of a region, each a level, and another region; shares are 0 but for the first level. */
    private static Route near(int ofA, int ofB) {
        List<Route.Level> levels = Stream.of(
                        FakeCandidate.level("a", ofA > 0 ? 1000 : 0, ofA),
                        FakeCandidate.level("b", ofA > 0 ? 0 : 1000, ofB),
                        FakeCandidate.level("far", 0, 1))
                .filter(level -> !level.targets().isEmpty())
                .map(level ->
                        new Route.Level(level.region().equals("far") ? "far" : "near", level.share(), level.targets()))
                .toList();
        return new Route(ofA + "-" + ofB, levels);
    }

    /** The part of keys that data planes of this prefix serve. */
    private static double served(FakeCandidate.FakeFleet fleet, String prefix, long now) {
        return IntStream.range(0, KEYS)
                        .filter(i -> fleet.pick(key(i), now).name.startsWith(prefix))
                        .count()
                / (double) KEYS;
    }

    @Test
    void aLevelThatReturnsIsUsedAtOnceIfNothingElseIsLeft() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 3, 0, 2));
        fleet.fail("region-0", 0);
        fleet.pick(1, 1);
        fleet.heal("region-0", 10);
        fleet.pick(1, 11);
        fleet.fail("region-1", 12);
        assertThat(atHome(fleet, 13)).isEqualTo(1);
    }

    @Test
    void aLastLevelIsUsedByHalfThoughItsProcessesSayTheyCannot() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        fleet.processes.values().stream()
                .filter(process -> !process.name.endsWith("/0"))
                .forEach(process -> process.health.failed(0, 0, false));
        assertThat(used(fleet)).isEqualTo(4);
    }

    @Test
    void whatCannotBeReachedIsNotUsedWhileAnythingElseIs() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        fleet.processes.values().stream()
                .filter(process -> !process.name.endsWith("/0"))
                .forEach(process -> process.health.failed(0, 0, true));
        assertThat(used(fleet)).isEqualTo(1);
    }

    private static int used(FakeCandidate.FakeFleet fleet) {
        Set<FakeCandidate> used = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            used.add(fleet.pick(key(i), 1));
        }
        return used.size();
    }

    private static double atHome(FakeCandidate.FakeFleet fleet, long now) {
        int home = 0;
        for (int i = 0; i < KEYS; i++) {
            home += fleet.pick(key(i), now).name.startsWith("region-0") ? 1 : 0;
        }
        return (double) home / KEYS;
    }

    private static long key(int conversation) {
        return Rendezvous.seed("conversation-" + conversation);
    }
}
