package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.LocalStack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The servers of the peers, each started for the peer that needs it. For one thread. */
final class PythonServers implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    /** Memory that Mooncake Store may use for blocks: the working set, and what a measurement writes. */
    private static final long SEGMENT_BYTES = 1L << 30;

    private static final String LOOPBACK = "127.0.0.1";

    private final LocalStack stack;
    private final Path folder;
    private final SecureRandom random;
    private final List<Runnable> started = new ArrayList<>();

    PythonServers(LocalStack stack, Path folder, SecureRandom random) {
        this.stack = stack;
        this.folder = folder;
        this.random = random;
    }

    /**
     * Starts the server of a peer.
     *
     * @param python of the peer, for a server in Python
     * @return the options of its client's constructor
     */
    Map<String, Object> start(PythonPeer peer, PythonEnvironment python) throws IOException, InterruptedException {
        return switch (peer) {
            case TCP -> Map.of("port", tcp(python));
            case REDIS -> Map.of("port", redis("redis"));
            case MOONCAKE -> Map.of("master", mooncake(python));
            case LMCACHE -> Map.of("url", "lm://" + LOOPBACK + ":" + lmcache(python));
            case RESP -> Map.of("url", "resp://" + LOOPBACK + ":" + redis("lmcache-redis"));
            case KVSTORE, AGENT, GRPCIO -> dataPlane();
            case AHEAD ->
                Map.of("endpoint", stack.dataPlane(0).endpoint(), "resource", LocalStack.RESOURCE, "ahead", 1);
            case UNVERIFIED ->
                Map.of("endpoint", stack.dataPlane(0).endpoint(), "resource", LocalStack.RESOURCE, "verified", false);
        };
    }

    private Map<String, Object> dataPlane() {
        return Map.of("endpoint", stack.dataPlane(0).endpoint(), "resource", LocalStack.RESOURCE);
    }

    private int tcp(PythonEnvironment python) throws IOException, InterruptedException {
        PythonProcess server = program(python, "tcp_server");
        JsonNode opened = server.ask(Map.of(
                "do",
                "open",
                "block_bytes",
                PythonOptions.BLOCK_BYTES,
                "batches",
                PythonOptions.BATCHES,
                "blocks_per_batch",
                PythonOptions.BLOCKS_PER_BATCH));
        return opened.path("port").asInt();
    }

    private int redis(String name) throws IOException, InterruptedException {
        int port = Ports.free(random, 1, 0);
        Path configuration = Files.writeString(folder.resolve(name + ".conf"), """
                bind 127.0.0.1
                port %d
                save ""
                appendonly no
                daemonize no
                dir "%s"
                """.formatted(port, folder));
        String server = Programs.ofThisMachine().path(PeerProgram.REDIS_SERVER);
        listening(name + "-server", List.of(server, configuration.toString()), port);
        return port;
    }

    private String mooncake(PythonEnvironment python) throws IOException, InterruptedException {
        int port = Ports.free(random, 2, 0);
        String program = python.python().resolveSibling("mooncake_master").toString();
        String metrics = Integer.toString(port + 1);
        listening(
                "mooncake_master",
                List.of(program, "--rpc_port", Integer.toString(port), "--metrics_port", metrics),
                port);
        String master = LOOPBACK + ":" + port;
        PythonProcess segment = program(python, "mooncake_segment");
        var _ = segment.ask(Map.of("do", "open", "host", LOOPBACK, "segment", SEGMENT_BYTES, "master", master));
        return master;
    }

    private int lmcache(PythonEnvironment python) throws InterruptedException {
        int port = Ports.free(random, 1, 0);
        String program = python.python().toString();
        listening(
                "lmcache-server", List.of(program, "-m", "lmcache.v1.server", LOOPBACK, Integer.toString(port)), port);
        return port;
    }

    private PythonProcess program(PythonEnvironment python, String module) throws IOException {
        PythonProcess process = PythonProcess.start("the server " + module, python, module, Map.of(), log(module));
        started.add(process::close);
        return process;
    }

    private void listening(String name, List<String> command, int port) throws InterruptedException {
        ManagedProcess process = ManagedProcess.start(name, Programs.endingWithThis(command), Map.of(), log(name));
        started.add(process::close);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var _ = process.awaitReady(Readiness.port(address), READY_WITHIN);
    }

    private Path log(String name) {
        return folder.resolve("logs").resolve(name + ".log");
    }

    @Override
    public void close() {
        started.reversed().forEach(Runnable::run);
    }
}
