package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.benchmark.process.StartedProcesses;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Where and with what blocks of one size are measured.
 *
 * @param folder for what servers need
 * @param storage where KV Store's blocks become durable
 * @param processes what was started
 * @param detours in front of servers that are to answer later than they would
 * @param random a {@code SecureRandom}: keys come from it
 */
record PeerSetup(
        Home home,
        Path folder,
        Path storage,
        WorkingSet set,
        Programs programs,
        StartedProcesses processes,
        Detours detours,
        RandomGenerator random) {
    /** The first of so many free ports in a row. */
    int freePorts(int count) {
        return Ports.free(random, count, 0);
    }

    /** Where clients connect instead of a port of a server's. */
    int reached(int port) throws IOException {
        return detours.port(port);
    }
}
