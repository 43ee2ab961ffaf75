package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.Damage;
import java.time.Duration;
import java.util.List;

/**
 * The options: what to measure, and for how long.
 *
 * @param peers the wanted peers, whether the machine has them or not
 * @param sizes bytes per block
 * @param clients how many at a time, a case each
 * @param warmUp of each case, before any of its size is measured
 * @param lead before each measurement, since the one before it was of something else
 * @param time of each measurement
 * @param rounds measurements of each case, all cases of a size in turn
 * @param slowed how much later every server is made to answer
 * @param damage of one block of the working set
 */
record PeersOptions(
        List<ComparedSystem> peers,
        List<Integer> sizes,
        List<Integer> clients,
        Duration warmUp,
        Duration lead,
        Duration time,
        int rounds,
        Duration slowed,
        Damage damage) {
    PeersOptions {
        peers = List.copyOf(peers);
        sizes = List.copyOf(sizes);
        clients = List.copyOf(clients);
    }
}
