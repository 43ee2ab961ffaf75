package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadTarget;
import dev.kvstore.benchmark.peers.server.GrpcServer;
import dev.kvstore.benchmark.peers.server.TcpServer;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All peers at once, each with processes of its own, for blocks of one size. For one thread. */
final class Arena implements AutoCloseable {
    private final PeerSetup place;
    private final StartedParts running = new StartedParts();
    private final Map<ComparedSystem, RunningPeer> peers = new EnumMap<>(ComparedSystem.class);

    private Arena(PeerSetup place) {
        this.place = place;
    }

    /**
     * Starts them, all at the same time, and has each store the working set. Those that fail are left out.
     *
     * @param flaws takes why they failed
     */
    static Arena open(PeerSetup place, Collection<ComparedSystem> peers, List<String> flaws)
            throws InterruptedException {
        Arena arena = new Arena(place);
        try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
            List<PeerStart> all = arena.starts(peers);
            for (Future<List<String>> told : starts.invokeAll(all)) {
                flaws.addAll(told.get());
            }
            all.forEach(start -> arena.peers.putAll(start.started));
            return arena;
        } catch (ExecutionException e) {
            arena.close();
            throw new IllegalStateException("peers cannot be started: " + e.getCause(), e);
        } catch (InterruptedException e) {
            arena.close();
            throw e;
        }
    }

    /** One for each server. */
    private List<PeerStart> starts(Collection<ComparedSystem> wanted) {
        Map<ComparedSystem, PeerStart> starts = new EnumMap<>(ComparedSystem.class);
        for (ComparedSystem peer : wanted) {
            starts.computeIfAbsent(peer.server(), _ -> new PeerStart()).wanted.add(peer);
        }
        return List.copyOf(starts.values());
    }

    /**
     * Starts peers that share a server, one after the other; the result is why those failed that did. For one thread.
     */
    private final class PeerStart implements Callable<List<String>> {
        private final List<ComparedSystem> wanted = new ArrayList<>();
        private final Map<ComparedSystem, RunningPeer> started = new EnumMap<>(ComparedSystem.class);
        private @Nullable RedisServer redis;
        private @Nullable PeerDataPlane dataPlane;

        @Override
        public List<String> call() throws InterruptedException {
            List<String> flaws = new ArrayList<>();
            for (ComparedSystem peer : wanted) {
                try {
                    RunningPeer one = start(peer);
                    one.stock();
                    started.put(peer, one);
                } catch (RuntimeException | IOException e) {
                    awaitInterrupt();
                    flaws.add(peer.title() + ", blocks of " + place.set().blockBytes() + " bytes: " + reason(e));
                }
            }
            return flaws;
        }

        private RunningPeer start(ComparedSystem peer) throws IOException, InterruptedException {
            return switch (peer) {
                case KVSTORE, TLS -> dataPlane(peer.server()).peer(LoadTarget.Protocol.KVSTORE, running);
                case KVSTORE_GRPC_JAVA, TLS_GRPC_JAVA ->
                    dataPlane(peer.server()).peer(LoadTarget.Protocol.KVSTORE_GRPC_JAVA, running);
                case TCP -> brought(TcpServer.class, LoadTarget.Protocol.TCP);
                case GRPC -> brought(GrpcServer.class, LoadTarget.Protocol.GRPC);
                case REDIS -> redisPeer(redis());
                case LETTUCE -> lettucePeer(redis());
                case NGINX -> new NginxStart(place).start(running);
            };
        }

        private PeerDataPlane dataPlane(ComparedSystem server) throws IOException, InterruptedException {
            if (dataPlane == null) {
                dataPlane = server == ComparedSystem.TLS
                        ? new PeerDataPlane(place, "data-plane-tls", Certificate.make(place.folder()), running)
                        : new PeerDataPlane(place, "data-plane", null, running);
            }
            return dataPlane;
        }

        private RedisServer redis() throws IOException, InterruptedException {
            if (redis == null) {
                redis = running.add(RedisServer.start(place));
            }
            return redis;
        }
    }

    /** Ctrl-C ends other processes before this one hears of it: their end is no failure then. */
    static void awaitInterrupt() throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
    }

    /** The reason for people, if the exception's message was written for them. */
    static String reason(Exception e) {
        return switch (e) {
            case LaunchException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            case BadBlockException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            default -> e.toString();
        };
    }

    /** The systems that were started. */
    List<ComparedSystem> peers() {
        return List.copyOf(peers.keySet());
    }

    /** One of them. */
    RunningPeer peer(ComparedSystem peer) {
        RunningPeer started = peers.get(peer);
        if (started == null) {
            throw new IllegalArgumentException(peer + " was not started");
        }
        return started;
    }

    private RunningPeer brought(Class<?> program, LoadTarget.Protocol protocol)
            throws IOException, InterruptedException {
        int port = place.freePort();
        PeerServer server = running.add(place.start(program.getSimpleName(), program, port));
        return new JavaPeer(running.add(place.load(protocol, server, port)), () -> {});
    }

    private RunningPeer redisPeer(RedisServer server) throws IOException {
        String path = place.programs().path(PeerProgram.REDIS_BENCHMARK);
        int port = server.server().reached(server.port());
        return new RedisPeer(
                server,
                new RedisBenchmark(path, port, place.set().blocks(), place.set().blockBytes()));
    }

    private RunningPeer lettucePeer(RedisServer server) throws IOException, InterruptedException {
        LoadProcess load = running.add(place.load(LoadTarget.Protocol.LETTUCE, server.server(), server.port()));
        return new JavaPeer(load, server::stock);
    }

    @Override
    public void close() {
        running.close();
    }
}
