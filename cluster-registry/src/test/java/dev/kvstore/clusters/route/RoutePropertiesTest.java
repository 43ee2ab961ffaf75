package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.GIGABYTE;
import static dev.kvstore.clusters.route.TestFleets.NOW;
import static dev.kvstore.clusters.route.TestFleets.anywhere;
import static dev.kvstore.clusters.route.TestFleets.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

final class RoutePropertiesTest {
    private static final List<ClusterState> STATES = List.of(ClusterState.values());

    /** Any fleet of up to five regions with some clusters each, in all states, some measured to each other. */
    private static Fleet fleet(SplittableRandom random) {
        TestFleets fleets = new TestFleets();
        int regions = random.nextInt(1, 6);
        for (int i = 0; i < regions; i++) {
            fleets.region("r" + i);
            for (int j = 0; j < i; j++) {
                if (random.nextInt(3) > 0) {
                    fleets.apart("r" + i, "r" + j, random.nextInt(1, 200));
                }
            }
        }
        int clusters = random.nextInt(0, 12);
        for (int i = 0; i < clusters; i++) {
            ClusterState state =
                    random.nextInt(4) > 0 ? ClusterState.ACTIVE : STATES.get(random.nextInt(STATES.size()));
            List<ClusterMember> members = new ArrayList<>();
            int count = random.nextInt(0, random.nextInt(10) == 0 ? 90 : 8);
            double gone = random.nextDouble();
            for (int j = 0; j < count; j++) {
                ClusterMember member = member("c" + i, j, random.nextLong(1, 10 * GIGABYTE), random.nextDouble());
                member = random.nextDouble() < gone ? TestFleets.leaseUntil(member, NOW.minusSeconds(1)) : member;
                member = random.nextInt(8) == 0 ? TestFleets.draining(member) : member;
                members.add(
                        random.nextInt(5) == 0
                                ? TestFleets.joined(member, NOW.minusSeconds(random.nextInt(40)))
                                : member);
            }
            fleets.cluster("c" + i, "r" + random.nextInt(regions), state, members);
        }
        return fleets.build();
    }

    private static Constraints constraints(SplittableRandom random, Fleet fleet) {
        Set<String> allowed = new HashSet<>();
        fleet.regions().stream().sorted().filter(_ -> random.nextInt(3) == 0).forEach(allowed::add);
        Map<String, Constraints.Placed> placements = new HashMap<>();
        for (FleetCluster cluster : fleet.clusters()) {
            if (random.nextInt(4) == 0) {
                placements.put(cluster.region(), new Constraints.Placed(cluster.name(), random.nextBoolean()));
            }
        }
        return new Constraints("r0", allowed, placements, random.nextInt(Rules.LOTS));
    }

    @Property(tries = 500)
    void sharesAreAThousandOrThereIsNoLevel(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Fleet fleet = fleet(random);

        Route route = TestFleets.route(fleet, constraints(random, fleet), "r" + random.nextInt(6));

        assertThat(TestFleets.shares(route).stream().mapToInt(share -> share).sum())
                .isEqualTo(route.levels().isEmpty() ? 0 : 1000);
        assertThat(TestFleets.shares(route)).allMatch(share -> share >= 0);
        assertThat(route.levels()).noneMatch(level -> level.targets().isEmpty());
    }

    @Property(tries = 500)
    void thereIsSomebodyWellInEveryRouteIfThereIsAnyAllowed(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Fleet fleet = fleet(random);
        Constraints constraints = constraints(random, fleet);
        Set<String> well = new HashSet<>();
        for (FleetCluster cluster : fleet.clusters()) {
            Constraints.Placed placed = constraints.placements().get(cluster.region());
            boolean pinnedElsewhere =
                    placed != null && placed.pinned() && !placed.cluster().equals(cluster.name());
            if (cluster.state() == ClusterState.ACTIVE && constraints.allows(cluster.region()) && !pinnedElsewhere) {
                cluster.members().stream()
                        .filter(member -> member.hasLease(NOW) && !member.draining())
                        .forEach(member -> well.add(member.instance()));
            }
        }

        Route route = TestFleets.route(fleet, constraints, "r" + random.nextInt(6));

        if (!well.isEmpty()) {
            assertThat(route.levels().stream()
                            .flatMap(level -> level.targets().stream())
                            .anyMatch(target -> well.contains(target.instance())))
                    .isTrue();
        }
    }

    @Property(tries = 500)
    void nothingIsRoutedThatIsNotAllowed(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Fleet fleet = fleet(random);
        Constraints constraints = constraints(random, fleet);
        Map<String, FleetCluster> clusters = new HashMap<>();
        fleet.clusters().forEach(cluster -> clusters.put(cluster.name(), cluster));

        Route route = TestFleets.route(fleet, constraints, "r" + random.nextInt(6));

        for (Route.Level level : route.levels()) {
            assertThat(constraints.allows(level.region())).isTrue();
            Constraints.Placed placed = constraints.placements().get(level.region());
            for (Route.Target target : level.targets()) {
                FleetCluster cluster = Objects.requireNonNull(clusters.get(target.cluster()));
                assertThat(cluster.region()).isEqualTo(level.region());
                assertThat(cluster.state()).isEqualTo(ClusterState.ACTIVE);
                assertThat(placed == null
                                || !placed.pinned()
                                || placed.cluster().equals(cluster.name()))
                        .isTrue();
                assertThat(cluster.members())
                        .filteredOn(member -> member.instance().equals(target.instance()))
                        .singleElement()
                        .matches(member -> !member.draining())
                        .matches(member -> level.panic() || member.hasLease(NOW));
                assertThat(target.weight()).isBetween(1, 1000);
            }
        }
    }

    @Property(tries = 300)
    void theSameQuestionHasTheSameAnswer(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Fleet fleet = fleet(random);
        Constraints constraints = constraints(random, fleet);
        Fleet same = fleet(new SplittableRandom(seed));

        assertThat(TestFleets.route(fleet, constraints, "r0")).isEqualTo(TestFleets.route(same, constraints, "r0"));
    }

    @Property(tries = 500)
    void versionsAreEqualIfTheRestIsAndOnlyThen(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Fleet fleet = fleet(random);
        Constraints constraints = constraints(random, fleet);
        Route one = TestFleets.route(fleet, constraints, "r0");
        Route other = random.nextBoolean()
                ? TestFleets.route(fleet, constraints(random, fleet), "r" + random.nextInt(3))
                : TestFleets.route(without(fleet, random), constraints, "r0");

        boolean same = one.region().equals(other.region()) && one.levels().equals(other.levels());

        assertThat(one.version().equals(other.version())).isEqualTo(same);
    }

    private static Fleet without(Fleet fleet, SplittableRandom random) {
        return new Fleet(
                fleet.at(),
                fleet.regions(),
                fleet.roundTrips(),
                fleet.clusters().stream().filter(_ -> random.nextInt(6) > 0).toList());
    }

    @Property(tries = 300)
    void unequalClustersReceiveWorkInProportionToHeadroom(
            @ForAll @Size(min = 2, max = 5) List<@IntRange(min = 1, max = 12) Integer> sizes, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestFleets fleets = new TestFleets();
        double[] headroom = new double[sizes.size()];
        for (int i = 0; i < sizes.size(); i++) {
            // A weight cannot show to a tenth a headroom below a hundredth of the best.
            double used = random.nextDouble(0, 0.8);
            long capacity = random.nextLong(GIGABYTE, 10 * GIGABYTE);
            List<ClusterMember> members = new ArrayList<>();
            for (int j = 0; j < sizes.get(i); j++) {
                members.add(member("c" + i, j, capacity, used));
            }
            headroom[i] = sizes.get(i) * capacity * (1 - used);
            fleets.cluster("c" + i, "east", members);
        }

        Route.Level level = TestFleets.route(fleets.build(), anywhere("east"), "east")
                .levels()
                .getFirst();

        double work = level.targets().stream().mapToInt(Route.Target::weight).sum();
        double all = Arrays.stream(headroom).sum();
        for (int i = 0; i < headroom.length; i++) {
            String cluster = "c" + i;
            double part = level.targets().stream()
                            .filter(target -> target.cluster().equals(cluster))
                            .mapToInt(Route.Target::weight)
                            .sum()
                    / work;
            assertThat(part).isCloseTo(headroom[i] / all, within(0.1 * headroom[i] / all));
        }
    }

    @Property(tries = 300)
    void whoIsUsedMoreKeepsNoMore(
            @ForAll @DoubleRange(min = 0, max = 1) double less,
            @ForAll @DoubleRange(min = 0, max = 1) double more,
            @ForAll @DoubleRange(min = 0, max = 1) double other) {
        assertThat(homeShare(Math.max(less, more), other)).isLessThanOrEqualTo(homeShare(Math.min(less, more), other));
    }

    private static int homeShare(double home, double other) {
        Fleet fleet = new TestFleets()
                .apart("east", "west", 60)
                .cluster("e", "east", List.of(member("e", 0, GIGABYTE, home)))
                .cluster("w", "west", List.of(member("w", 0, GIGABYTE, other)))
                .build();
        return TestFleets.shares(TestFleets.route(fleet, anywhere("east"), "east"))
                .getFirst();
    }

    @Property(tries = 200)
    void whoLosesProcessesKeepsNoMore(
            @ForAll @IntRange(min = 1, max = 60) int well, @ForAll @IntRange(max = 40) int gone) {
        assertThat(homeShare(well, gone + 1)).isLessThanOrEqualTo(homeShare(well, gone));
    }

    private static int homeShare(int well, int gone) {
        Fleet fleet = new TestFleets()
                .apart("east", "west", 60)
                .cluster("e", "east", well, gone)
                .cluster("w", "west", 10, 0)
                .build();
        return TestFleets.shares(TestFleets.route(fleet, anywhere("east"), "east"))
                .getFirst();
    }
}
