package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.benchmark.process.StartedProcesses;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.stack.LocalStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The servers of the peers, each started for the peer that needs it.
 *
 * @param folder for what they need
 * @param processes end them
 */
record PythonServers(LocalStack stack, Path folder, StartedProcesses processes, RandomGenerator random) {
    /** Bytes of a block: 128 tokens of a model with 9.4 KB a token. */
    static final int BLOCK_BYTES = 1_200_000;

    /**
     * Four prompts of 32 blocks, 154 MB, read in turn: more than a processor's cache holds, and so many that the agent,
     * which has room for two, never has the next one.
     */
    private static final int BATCHES = 4;

    static final int BLOCKS_PER_BATCH = 32;

    /** Memory that Mooncake Store may use for blocks: the working set, and what a measurement writes. */
    private static final long SEGMENT_BYTES = 1L << 30;

    private static final String LOOPBACK = "127.0.0.1";

    /**
     * Starts the server of a peer.
     *
     * @param python of the peer, for a server in Python
     * @return the options of its client's constructor
     */
    Map<String, Object> start(PythonPeer peer, PythonEnvironment python) throws IOException, InterruptedException {
        String endpoint = stack.dataPlane(0).endpoint();
        return switch (peer) {
            case TCP -> Map.of("port", tcp(python));
            case REDIS -> Map.of("port", redis("redis"));
            case MOONCAKE -> Map.of("master", mooncake(python));
            case LMCACHE -> Map.of("url", "lm://" + LOOPBACK + ":" + lmcache(python));
            case RESP -> Map.of("url", "resp://" + LOOPBACK + ":" + redis("lmcache-redis"));
            case KVSTORE, AGENT, GRPCIO -> Map.of("endpoint", endpoint, "resource", LocalStack.RESOURCE);
            case AHEAD -> Map.of("endpoint", endpoint, "resource", LocalStack.RESOURCE, "ahead", 1);
            case UNVERIFIED -> Map.of("endpoint", endpoint, "resource", LocalStack.RESOURCE, "verified", false);
        };
    }

    /** The first order to a program that has the working set. */
    static Map<String, Object> open(Map<String, Object> more) {
        Map<String, Object> order = new HashMap<>(more);
        order.putAll(Map.of(
                "do", "open", "block_bytes", BLOCK_BYTES, "batches", BATCHES, "blocks_per_batch", BLOCKS_PER_BATCH));
        return order;
    }

    private int tcp(PythonEnvironment python) throws IOException, InterruptedException {
        return program(python, "tcp_server").ask(open(Map.of())).path("port").asInt();
    }

    private int redis(String name) throws InterruptedException {
        int port = Ports.free(random, 1, 0);
        var _ = processes.listening(name + "-server", Programs.ofThisMachine().redis(port, folder), port);
        return port;
    }

    private String mooncake(PythonEnvironment python) throws IOException, InterruptedException {
        int port = Ports.free(random, 2, 0);
        listening(
                "mooncake_master",
                port,
                "%s --rpc_port %s --metrics_port %s",
                python.python().resolveSibling("mooncake_master"),
                port,
                port + 1);
        String master = LOOPBACK + ":" + port;
        var _ = program(python, "mooncake_segment")
                .ask(Map.of("do", "open", "host", LOOPBACK, "segment", SEGMENT_BYTES, "master", master));
        return master;
    }

    private int lmcache(PythonEnvironment python) throws InterruptedException {
        int port = Ports.free(random, 1, 0);
        listening("lmcache-server", port, "%s -m lmcache.v1.server %s %s", python.python(), LOOPBACK, port);
        return port;
    }

    private void listening(String name, int port, String command, Object... arguments) throws InterruptedException {
        var _ = processes.listening(name, Programs.endingWithThis(Programs.command(command, arguments)), port);
    }

    private PythonProcess program(PythonEnvironment python, String module) throws IOException {
        PythonProcess process =
                PythonProcess.start("the server " + module, python, module, Map.of(), processes.log(module));
        processes.atEnd(process::close);
        return process;
    }
}
