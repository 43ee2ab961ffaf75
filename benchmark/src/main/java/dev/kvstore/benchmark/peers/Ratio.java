package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.report.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A figure of KV Store over that of a peer, with blocks of 1.2 MB, each at the number of clients at which it is
 * fastest.
 *
 * @param key as in the JSON
 * @param text for people
 * @param figure of the two that is compared
 */
record Ratio(String key, String text, Side ours, Side theirs, Function<CaseFigures, Spread> figure) {
    /** The size that ratios are of: a block of 128 tokens, as the service has them. */
    static final int BLOCK_BYTES = 1_200_000;

    private static final Side STREAM = Side.of(ComparedSystem.KVSTORE, PeerOperation.STREAMING_READ);
    private static final Side READ = Side.of(ComparedSystem.KVSTORE, PeerOperation.READ);
    private static final Side WRITE = Side.of(ComparedSystem.KVSTORE, PeerOperation.WRITE);
    private static final Side TLS = Side.of(ComparedSystem.TLS, PeerOperation.STREAMING_READ);
    private static final Side REDIS_GET = Side.of(ComparedSystem.REDIS, PeerOperation.GET);
    private static final Side REDIS_SET = Side.of(ComparedSystem.REDIS, PeerOperation.SET);
    private static final Side LETTUCE = Side.of(ComparedSystem.LETTUCE, PeerOperation.GET);
    private static final Side GRPC = Side.of(ComparedSystem.GRPC, PeerOperation.UNARY);
    private static final Side TCP = Side.of(ComparedSystem.TCP, PeerOperation.STREAM);
    private static final Side NGINX = Side.of(ComparedSystem.NGINX, PeerOperation.SENDFILE, PeerOperation.BUFFERS);

    /** All there are, in the order of the JSON. */
    static final List<Ratio> ALL = List.of(
            rate("readVsRedisGet", "StreamingRead over GET by Redis' C client", STREAM, REDIS_GET),
            rate("readVsLettuce", "StreamingRead over GET by Lettuce", STREAM, LETTUCE),
            rate("readVsNginx", "StreamingRead over nginx, sendfile or buffers", STREAM, NGINX),
            rate("readVsStockGrpc", "StreamingRead over a stock gRPC server", STREAM, GRPC),
            rate("readVsTcp", "StreamingRead over raw TCP", STREAM, TCP),
            rate("unaryVsLettuce", "Read over GET by Lettuce", READ, LETTUCE),
            rate("writeVsRedisSet", "Write over SET by Redis' C client", WRITE, REDIS_SET),
            new Ratio(
                    "cpuPerGbVsRedis",
                    "CPU time per GB of the first ratio; less is better",
                    STREAM,
                    REDIS_GET,
                    CaseFigures::cpuSecondsPerGb),
            rate("tlsVsPlaintext", "StreamingRead with TLS over the same in plaintext", TLS, STREAM));

    /** One of the two that are compared: the best of some operations of a peer. */
    record Side(ComparedSystem peer, List<PeerOperation> operations) {
        static Side of(ComparedSystem peer, PeerOperation... operations) {
            return new Side(peer, List.of(operations));
        }

        private Optional<CaseFigures> best(List<CaseFigures> all) {
            return all.stream()
                    .filter(one -> one.blockBytes() == BLOCK_BYTES)
                    .filter(one -> one.peer() == peer && operations.contains(one.operation()))
                    .max(FASTEST);
        }
    }

    /** The case with the best median comes last. */
    static final Comparator<CaseFigures> FASTEST =
            Comparator.comparingDouble(one -> one.gbPerSecond().median());

    /**
     * A ratio with how far another run's may be.
     *
     * @param low the least that the noise of the two allows for
     * @param high the most
     * @param clients of the first at its best
     * @param peerClients of the second
     */
    record Value(double value, double low, double high, int clients, int peerClients) {}

    private static Ratio rate(String key, String text, Side ours, Side theirs) {
        return new Ratio(key, text, ours, theirs, CaseFigures::gbPerSecond);
    }

    /** Empty if one of the two was not measured, or the system does not tell of processor time. */
    Optional<Value> of(List<CaseFigures> all) {
        return ours.best(all).flatMap(our -> theirs.best(all).flatMap(their -> of(our, their)));
    }

    private Optional<Value> of(CaseFigures our, CaseFigures their) {
        double above = figure.apply(our).median();
        double below = figure.apply(their).median();
        if (above == 0 || below == 0) {
            return Optional.empty();
        }
        double value = above / below;
        double noise = (1 + noise(our)) * (1 + noise(their));
        return Optional.of(new Value(value, value / noise, value * noise, our.clients(), their.clients()));
    }

    private double noise(CaseFigures figures) {
        return Math.max(figures.noise(), figure.apply(figures).deviation());
    }
}
