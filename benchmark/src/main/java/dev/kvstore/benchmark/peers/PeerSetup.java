package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.LoadTarget;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Where and with what blocks of one size are measured.
 *
 * @param folder for what servers need, and their logs
 * @param storage where KV Store's blocks become durable
 * @param slowed how much later servers answer than they would
 * @param random a {@code SecureRandom}: keys come from it
 */
record PeerSetup(
        Home home,
        Path folder,
        Path storage,
        WorkingSet set,
        Duration slowed,
        Programs programs,
        RandomGenerator random) {
    Path log(String name) {
        return folder.resolve("logs").resolve(name + ".log");
    }

    int freePort() {
        return Ports.free(random, 1, 0);
    }

    /** Starts one of the servers that this project brings. */
    PeerServer start(String name, Class<?> program, int port) throws InterruptedException {
        List<String> command = LoadProcess.java(
                program,
                List.of(
                        Integer.toString(port),
                        Integer.toString(set.blockBytes()),
                        set.damage().name()));
        return PeerServer.start(name, command, Map.of(), port, null, log(name), slowed);
    }

    /** Starts a server of others, which is ended if this process is killed. */
    PeerServer start(PeerProgram program, List<String> arguments, int port) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(programs.path(program)));
        command.addAll(arguments);
        return PeerServer.start(
                program.command(),
                Programs.endingWithThis(command),
                Map.of(),
                port,
                null,
                log(program.command()),
                slowed);
    }

    /** Starts the process that asks a server which needs neither key nor certificate. */
    LoadProcess load(LoadTarget.Protocol protocol, PeerServer server, int port)
            throws IOException, InterruptedException {
        String name = protocol.name().toLowerCase(Locale.ROOT);
        LoadTarget target =
                new LoadTarget(protocol, server.reached(port), server.pid(), "", null, set.blockBytes(), set.damage());
        return LoadProcess.start(name, target, log(name + "-client"));
    }
}
