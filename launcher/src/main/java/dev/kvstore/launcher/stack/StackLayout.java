package dev.kvstore.launcher.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The places of a local stack's data planes. Immutable.
 *
 * @param regions the first is the account's home
 * @param roundTrip between any two of them
 */
public record StackLayout(List<Region> regions, Duration roundTrip) {
    /** The most data planes of one stack. */
    public static final int MAX_DATA_PLANES = 64;

    /** The name of the only region of a stack with one region, and of its only cluster. */
    public static final String HOME = "local";

    /** The round trip between regions: that between the coasts of a continent. */
    public static final Duration ROUND_TRIP = Duration.ofMillis(60);

    private static final List<String> NAMES = List.of(HOME, "second", "third", "fourth", "fifth", "sixth");

    /** The most regions of one stack. */
    public static final int MAX_REGIONS = 6;

    /** A region, with a storage of its own. */
    public record Region(String name, List<Cluster> clusters) {
        public Region {
            clusters = List.copyOf(clusters);
        }
    }

    /**
     * A cluster.
     *
     * @param processes 1 or more
     */
    public record Cluster(String name, int processes) {}

    /**
     * The place of a data plane.
     *
     * @param index the number among all, from 0
     */
    record Seat(int index, String region, String cluster) {
        /** The name of the data plane, whatever its port. */
        String process() {
            return "data-plane-" + index;
        }
    }

    /** @throws IllegalArgumentException if there are too many regions or data planes, or none */
    public StackLayout {
        regions = List.copyOf(regions);
        if (regions.isEmpty() || regions.size() > MAX_REGIONS) {
            throw new IllegalArgumentException("--regions: must be 1 to " + MAX_REGIONS + ", not " + regions.size());
        }
        long processes = regions.stream()
                .flatMap(region -> region.clusters().stream())
                .mapToLong(Cluster::processes)
                .sum();
        if (processes < 1 || processes > MAX_DATA_PLANES) {
            throw new IllegalArgumentException(
                    "--data-planes: must be 1 to " + MAX_DATA_PLANES + " in all regions together, not " + processes);
        }
    }

    /** Regions with one cluster each, which has the region's name. */
    public static StackLayout of(int regions, int dataPlanesEach, Duration roundTrip) {
        if (regions < 1 || regions > MAX_REGIONS) {
            throw new IllegalArgumentException("--regions: must be 1 to " + MAX_REGIONS + ", not " + regions);
        }
        return new StackLayout(
                NAMES.subList(0, regions).stream()
                        .map(name -> new Region(name, List.of(new Cluster(name, dataPlanesEach))))
                        .toList(),
                roundTrip);
    }

    /** A layout with all data planes in one region. */
    public static StackLayout single(int dataPlanes) {
        return of(1, dataPlanes, ROUND_TRIP);
    }

    /** The places of all data planes, region by region. */
    List<Seat> seats() {
        List<Seat> seats = new ArrayList<>();
        for (Region region : regions) {
            for (Cluster cluster : region.clusters()) {
                for (int i = 0; i < cluster.processes(); i++) {
                    seats.add(new Seat(seats.size(), region.name(), cluster.name()));
                }
            }
        }
        return List.copyOf(seats);
    }

    /** Whether there are several regions, which are far from each other. */
    boolean isSpread() {
        return regions.size() > 1;
    }

    /** The numbers of data planes by place, for people. */
    @Override
    public String toString() {
        return regions.stream()
                .map(region -> region.name() + ": "
                        + region.clusters().stream()
                                .mapToInt(Cluster::processes)
                                .sum())
                .toList()
                .toString();
    }
}
