package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.Rounds;
import dev.kvstore.benchmark.peers.load.LettuceLoad;
import dev.kvstore.benchmark.peers.load.LoadTarget;
import dev.kvstore.benchmark.peers.server.BlockServer;
import dev.kvstore.launcher.process.ManagedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts peers that run at once, each with processes of its own, for blocks of one size. For one thread. */
final class PeerSite {
    private final PeerSetup setup;
    private final Map<ComparedSystem, PeerDataPlane> dataPlanes = new EnumMap<>(ComparedSystem.class);
    private @Nullable ManagedProcess redis;
    private int redisPort;

    private PeerSite(PeerSetup setup) {
        this.setup = setup;
    }

    /**
     * Starts peers, and has each store the working set. Those that fail are left out.
     *
     * @param flaws takes why they failed
     */
    static Map<ComparedSystem, RunningPeer> start(
            PeerSetup setup, Collection<ComparedSystem> wanted, Consumer<String> flaws) throws InterruptedException {
        PeerSite site = new PeerSite(setup);
        Map<ComparedSystem, RunningPeer> peers = new EnumMap<>(ComparedSystem.class);
        for (ComparedSystem system : wanted) {
            try {
                RunningPeer peer = site.start(system);
                peer.stock();
                peers.put(system, peer);
            } catch (RuntimeException | IOException e) {
                flaws.accept("%s, blocks of %d bytes: %s"
                        .formatted(system.title(), setup.set().blockBytes(), Rounds.reason(e)));
            }
        }
        return peers;
    }

    private RunningPeer start(ComparedSystem system) throws IOException, InterruptedException {
        return switch (system.server()) {
            case TCP, GRPC -> brought(system);
            case NGINX -> NginxPeer.start(setup);
            case REDIS -> redis(system);
            default -> dataPlane(system);
        };
    }

    private RunningPeer brought(ComparedSystem system) throws IOException, InterruptedException {
        int port = setup.freePorts(1);
        List<String> command = LoadProcess.java(
                BlockServer.class,
                system.key(),
                Integer.toString(port),
                Integer.toString(setup.set().blockBytes()),
                setup.set().damage().name());
        return load(system, setup.processes().listening(system.key(), command, port), port, "", null);
    }

    private RunningPeer redis(ComparedSystem system) throws IOException, InterruptedException {
        ManagedProcess server = redis;
        if (server == null) {
            redisPort = setup.freePorts(1);
            server = setup.processes().listening("redis", setup.programs().redis(redisPort, setup.folder()), redisPort);
            redis = server;
        }
        if (system == ComparedSystem.LETTUCE) {
            return load(system, server, redisPort, "", null);
        }
        LettuceLoad blocks = new LettuceLoad(setup.set(), redisPort);
        setup.processes().atEnd(blocks::close);
        String benchmark = setup.programs().path(PeerProgram.REDIS_BENCHMARK);
        return new RedisPeer(setup.set(), benchmark, server.pid(), setup.reached(redisPort), blocks);
    }

    private RunningPeer dataPlane(ComparedSystem system) throws IOException, InterruptedException {
        ComparedSystem server = system.server();
        PeerDataPlane dataPlane = dataPlanes.get(server);
        if (dataPlane == null) {
            boolean tls = server == ComparedSystem.TLS;
            dataPlane = PeerDataPlane.start(setup, tls ? Certificate.make(setup.folder()) : null);
            dataPlanes.put(server, dataPlane);
        }
        LoadProcess load = load(
                system, dataPlane.process(), dataPlane.port(), dataPlane.key().text(), dataPlane.trust());
        return new KvStorePeer(load, dataPlane, setup.set().blockBytes());
    }

    /** Starts the process that asks a server. */
    private LoadProcess load(ComparedSystem system, ManagedProcess server, int port, String key, @Nullable Path trust)
            throws IOException, InterruptedException {
        LoadProcess load = LoadProcess.start(system.title(), setup.processes().log(system.key() + "-client"));
        setup.processes().atEnd(load.process()::close);
        var _ = load.ask(new LoadTarget(
                system.protocol(),
                setup.reached(port),
                server.pid(),
                key,
                trust,
                setup.set().blockBytes(),
                setup.set().damage()));
        return load;
    }
}
