package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each constant of membership, one tick of the database's clock before and after. */
class RulesTest {
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Capacity CAPACITY = new Capacity(1, 1, 0, 0, 1);

    private static ClusterMember member(String name, Instant leaseEnd) {
        return new ClusterMember(name, "i", "a:1", "a:1", NOW, leaseEnd, false, CAPACITY, Load.NONE);
    }

    /** A fleet with a number of processes in each region; all of them, or none, have been gone for long enough. */
    private static Fleet fleet(Map<String, Integer> regions, Instant leaseEnd) {
        List<FleetCluster> clusters = regions.entrySet().stream()
                .map(region -> new FleetCluster(
                        region.getKey() + "-a",
                        region.getKey(),
                        ClusterState.ACTIVE,
                        null,
                        IntStream.range(0, region.getValue())
                                .mapToObj(i -> member("p" + i, leaseEnd))
                                .toList()))
                .toList();
        return new Fleet(NOW, regions.keySet(), Map.of(), clusters);
    }

    @Test
    void theConstantsAreThoseOfTheDesign() {
        assertThat(Rules.HEARTBEAT).isEqualTo(Duration.ofSeconds(5));
        assertThat(Rules.LEASE).isEqualTo(Duration.ofSeconds(15));
        assertThat(Rules.EVICTION_PASS).isEqualTo(Duration.ofSeconds(5));
        assertThat(Rules.EVICTION_SHARE).isEqualTo(0.15);
    }

    @Test
    void aLeaseEndsAtItsEndAndNotATickBefore() {
        ClusterMember member = member("p", NOW.plus(Rules.LEASE));

        assertThat(member.hasLease(NOW.plus(Rules.LEASE).minus(TICK))).isTrue();
        assertThat(member.hasLease(NOW.plus(Rules.LEASE))).isFalse();
    }

    @Test
    void aProcessIsForgottenSoLongAfterItsLeaseEndedAndNotATickBefore() {
        Instant longAgo = NOW.minus(Rules.EVICTION_AFTER);

        assertThat(Eviction.choose(fleet(Map.of("eu", 1), longAgo), new Random(1)))
                .hasSize(1);
        assertThat(Eviction.choose(fleet(Map.of("eu", 1), longAgo.plus(TICK)), new Random(1)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "13, 1", "14, 2", "19, 2", "20, 3", "2000, 300"})
    void aPassForgetsAtMostItsShareOfARegionAndOneAtLeast(int processes, int most) {
        assertThat(Eviction.most(processes)).isEqualTo(most);
    }

    @Test
    void eachRegionHasAShareOfItsOwn() {
        Fleet fleet = fleet(Map.of("eu", 100, "us", 20, "ap", 1), NOW.minus(Rules.EVICTION_AFTER));
        Map<String, Integer> gone = new HashMap<>();

        Eviction.choose(fleet, new Random(1)).forEach(row -> gone.merge(row.cluster(), 1, Integer::sum));

        assertThat(gone).isEqualTo(Map.of("eu-a", 15, "us-a", 3, "ap-a", 1));
    }

    @Test
    void whoGoesFirstIsChance() {
        Fleet fleet = fleet(Map.of("eu", 10), NOW.minus(Rules.EVICTION_AFTER));
        Set<String> first = new HashSet<>();

        for (int seed = 0; seed < 200; seed++) {
            first.add(Eviction.choose(fleet, new Random(seed)).getFirst().process());
        }

        assertThat(first).hasSize(10);
    }

    @Test
    void aSilenceOfNoMoreThanAHeartbeatIsNoPause() {
        assertThat(OutageDetector.pause(NOW, NOW.plus(Rules.PAUSE))).isEmpty();
        assertThat(OutageDetector.pause(NOW, NOW.plus(Rules.PAUSE).plus(TICK))).contains(Rules.PAUSE.plus(TICK));
    }

    @Test
    void aClockThatWasSetBackMovesLeasesBack() {
        assertThat(OutageDetector.pause(NOW, NOW.minus(Rules.PAUSE))).isEmpty();
        assertThat(OutageDetector.pause(NOW, NOW.minus(Duration.ofHours(1)))).contains(Duration.ofHours(-1));
    }

    @Test
    void aClockThatIsOffIsToldOfFromSomeSecondsOn() {
        Corrections near = new Corrections();
        near.clock(NOW.plus(Corrections.SKEW), NOW);
        near.clock(NOW.minus(Corrections.SKEW), NOW);
        Corrections off = new Corrections();
        off.clock(NOW.plus(Corrections.SKEW).plus(TICK), NOW);
        off.clock(NOW.minus(Duration.ofHours(1)), NOW);

        assertThat(near.reasons()).isEmpty();
        assertThat(off.reasons())
                .satisfiesExactly(
                        ahead -> assertThat(ahead).startsWith("clock: it is 5 s ahead of"),
                        behind -> assertThat(behind).startsWith("clock: it is 3600 s behind"));
    }
}
