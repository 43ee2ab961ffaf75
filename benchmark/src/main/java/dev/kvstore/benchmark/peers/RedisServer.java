package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.LettuceLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Redis that keeps everything in memory, for as many as want it. For one thread. */
final class RedisServer implements StartedParts.StartedPart {
    private final PeerServer server;
    private final int port;
    private final LettuceLoad blocks;
    private boolean stocked;

    private RedisServer(PeerServer server, int port, LettuceLoad blocks) {
        this.server = server;
        this.port = port;
        this.blocks = blocks;
    }

    static RedisServer start(PeerSetup place) throws IOException, InterruptedException {
        int port = place.freePort();
        Path configuration =
                Files.writeString(place.folder().resolve("redis.conf"), configuration(port, place.folder()));
        PeerServer server = place.start(PeerProgram.REDIS_SERVER, List.of(configuration.toString()), port);
        return new RedisServer(server, port, new LettuceLoad(place.set(), port));
    }

    private static String configuration(int port, Path folder) {
        return """
                bind 127.0.0.1
                port %d
                save ""
                appendonly no
                daemonize no
                dir "%s"
                """.formatted(port, folder);
    }

    PeerServer server() {
        return server;
    }

    int port() {
        return port;
    }

    /** The blocks that Redis has, read from this process. */
    LettuceLoad blocks() {
        return blocks;
    }

    /** Has it store the working set, the first time. */
    void stock() {
        if (!stocked) {
            blocks.stock();
            stocked = true;
        }
    }

    @Override
    public void close() {
        blocks.close();
        server.close();
    }
}
