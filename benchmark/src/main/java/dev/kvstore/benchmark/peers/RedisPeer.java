package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.time.Duration;

/** Redis by redis-benchmark, which is told how often, not how long: so how often that is, is tried first. */
final class RedisPeer implements RunningPeer {
    private static final double SECOND = 1e9;

    /** The least share of the wanted time that a run must take to count. */
    private static final double LEAST = 0.5;

    private static final long FIRST_BYTES = 64L << 20;
    private static final double MOST_GROWTH = 100;
    private static final int READ_DATABASE = 0;
    private static final int WRITTEN_DATABASE = 1;

    private final RedisServer redis;
    private final RedisBenchmark benchmark;

    RedisPeer(RedisServer redis, RedisBenchmark benchmark) {
        this.redis = redis;
        this.benchmark = benchmark;
    }

    @Override
    public void stock() {
        redis.stock();
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws InterruptedException {
        double seconds = time.toNanos() / SECOND;
        long requests = Math.max(clients, FIRST_BYTES / benchmark.valueBytes());
        LoadMeasurement measurement = once(operation, clients, requests);
        while (measurement.seconds() < seconds * LEAST) {
            double factor = Math.min(MOST_GROWTH, seconds / measurement.seconds());
            requests = Math.max(requests + 1, (long) (requests * factor));
            measurement = once(operation, clients, requests);
        }
        if (operation.writes()) {
            redis.blocks().verifyLengths(WRITTEN_DATABASE);
        }
        return measurement;
    }

    private LoadMeasurement once(PeerOperation operation, int clients, long requests) throws InterruptedException {
        int database = operation.writes() ? WRITTEN_DATABASE : READ_DATABASE;
        double server = redis.server().cpuSeconds();
        ProgramRun run = ProgramRun.of(benchmark.command(operation.toString(), database, clients, requests))
                .orThrow(PeerProgram.REDIS_BENCHMARK.command());
        server = redis.server().cpuSeconds() - server;
        double requestsPerSecond = RedisBenchmark.requestsPerSecond(operation.toString(), run.output());
        return new LoadMeasurement(
                requests * benchmark.valueBytes(), requests / requestsPerSecond, run.cpuSeconds(), server);
    }

    @Override
    public void verify(PeerOperation operation) {
        redis.blocks().verify(operation);
    }
}
