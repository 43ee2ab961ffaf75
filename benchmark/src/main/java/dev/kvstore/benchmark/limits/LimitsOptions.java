package dev.kvstore.benchmark.limits;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options: what to measure, and for how long.
 *
 * @param folder on a disk, for storage and disk tiers
 * @param clients of which the best counts, where a figure is one at its best
 * @param warmUp of each thing that is measured
 * @param time of each measurement
 * @param rounds measurements of each thing, all of a limit in turn
 * @param starts of a data plane
 * @param leftBlocks on the disk of one that starts
 * @param slowed how much later data planes answer than they would
 * @param strict whether a goal that is missed fails the run
 */
record LimitsOptions(
        List<Limit> limits,
        Path folder,
        List<Integer> clients,
        Duration warmUp,
        Duration time,
        int rounds,
        int starts,
        int leftBlocks,
        Duration slowed,
        boolean strict) {
    LimitsOptions {
        limits = List.copyOf(limits);
        clients = List.copyOf(clients);
    }
}
