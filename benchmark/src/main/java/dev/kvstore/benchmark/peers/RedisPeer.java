package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.CpuClock;
import dev.kvstore.benchmark.peers.load.LettuceLoad;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.LaunchException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Redis by redis-benchmark, Redis' own client in C, which is told how often, not how long: so how often that is, is
 * tried first.
 *
 * @param server its process id
 * @param port where redis-benchmark connects
 * @param blocks what Redis has, read from this process
 */
record RedisPeer(WorkingSet set, String benchmark, long server, int port, LettuceLoad blocks) implements RunningPeer {
    private static final double SECOND = 1e9;

    /** The least share of the wanted time that a run must take to count. */
    private static final double LEAST = 0.5;

    private static final long FIRST_BYTES = 64L << 20;
    private static final double MOST_GROWTH = 100;

    // SET does not change the values that GET reads.
    private static final int READ_DATABASE = 0;
    private static final int WRITTEN_DATABASE = 1;

    /** {@code "GET","12345.67"}, in later versions with latencies behind it and a line of titles above. */
    private static final Pattern LINE = Pattern.compile("(?m)^\"(\\w+)\",\"([0-9.]+)\"");

    @Override
    public void stock() {
        blocks.stock();
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws InterruptedException {
        double seconds = time.toNanos() / SECOND;
        long requests = Math.max(clients, FIRST_BYTES / set.blockBytes());
        LoadMeasurement measurement = once(operation, clients, requests);
        while (measurement.seconds() < seconds * LEAST) {
            double factor = Math.min(MOST_GROWTH, seconds / measurement.seconds());
            requests = Math.max(requests + 1, (long) (requests * factor));
            measurement = once(operation, clients, requests);
        }
        if (operation.writes()) {
            blocks.verifyLengths(WRITTEN_DATABASE);
        }
        return measurement;
    }

    private LoadMeasurement once(PeerOperation operation, int clients, long requests) throws InterruptedException {
        Duration before = CpuClock.ofTree(server);
        ProgramRun run =
                ProgramRun.of(command(operation, clients, requests)).orThrow(PeerProgram.REDIS_BENCHMARK.command());
        double used = CpuClock.ofTree(server).minus(before).toNanos() / SECOND;
        double perSecond = requestsPerSecond(operation, run.output());
        return new LoadMeasurement(requests * set.blockBytes(), requests / perSecond, run.cpuSeconds(), used);
    }

    /** One connection per client, one request at a time on each, a thread for all. */
    List<String> command(PeerOperation operation, int clients, long requests) {
        return Programs.command(
                "%s -h 127.0.0.1 -p %s -t %s -c %s -n %s -d %s -r %s -P 1 --dbnum %s --csv",
                benchmark,
                port,
                operation.toString().toLowerCase(Locale.ROOT),
                clients,
                requests,
                set.blockBytes(),
                set.blocks(),
                operation.writes() ? WRITTEN_DATABASE : READ_DATABASE);
    }

    /**
     * How many requests a second there were.
     *
     * @throws LaunchException if the text does not say
     */
    static double requestsPerSecond(PeerOperation operation, String output) {
        return LINE.matcher(output)
                .results()
                .filter(line -> line.group(1).equals(operation.toString()))
                .map((MatchResult line) -> Double.parseDouble(line.group(2)))
                .findFirst()
                .orElseThrow(
                        () -> new LaunchException("redis-benchmark does not say how fast it was: " + output.strip()));
    }

    @Override
    public void verify(PeerOperation operation) {
        blocks.verify(operation);
    }
}
