package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** nginx with the blocks as files, which the operating system's page cache has, asked by wrk. */
final class NginxPeer implements RunningPeer {
    private static final double SECOND = 1e9;
    private static final int OK = 200;

    private final PeerServer server;
    private final Wrk wrk;
    private final WorkingSet set;
    private final Path files;
    private final int sendfilePort;
    private final int buffersPort;

    /**
     * @param files where nginx looks for blocks, by their numbers
     * @param sendfilePort where it serves them by sendfile(2)
     * @param buffersPort where it does through buffers
     */
    NginxPeer(PeerServer server, Wrk wrk, WorkingSet set, Path files, int sendfilePort, int buffersPort) {
        this.server = server;
        this.wrk = wrk;
        this.set = set;
        this.files = files;
        this.sendfilePort = sendfilePort;
        this.buffersPort = buffersPort;
    }

    @Override
    public void stock() throws IOException {
        byte[] block = new byte[set.blockBytes()];
        for (int i = 0; i < set.blocks(); i++) {
            if (set.isStored(i)) {
                set.fill(i, ByteBuffer.wrap(block));
                Files.write(files.resolve(Integer.toString(i)), block);
            }
        }
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws InterruptedException {
        int threads = Runtime.getRuntime().availableProcessors();
        Duration whole = Duration.ofSeconds(Math.max(1, Math.round(time.toNanos() / SECOND)));
        double before = server.cpuSeconds();
        ProgramRun run = ProgramRun.of(wrk.command(port(operation), threads, clients, whole))
                .orThrow(PeerProgram.WRK.command());
        double used = server.cpuSeconds() - before;
        Wrk.WrkCount count = Wrk.count(run.output());
        return new LoadMeasurement(
                count.requests() * set.blockBytes(), count.requests() / count.perSecond(), run.cpuSeconds(), used);
    }

    @Override
    public void verify(PeerOperation operation) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int block = 0; block < set.blocks(); block++) {
                URI uri = URI.create("http://127.0.0.1:" + port(operation) + "/" + block);
                HttpResponse<byte[]> answer =
                        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
                if (answer.statusCode() != OK) {
                    throw new BadBlockException("block " + block + " is missing: nginx answers " + answer.statusCode());
                }
                set.verify(block, List.of(ByteBuffer.wrap(answer.body())));
            }
        }
    }

    private int port(PeerOperation operation) {
        return operation == PeerOperation.SENDFILE ? sendfilePort : buffersPort;
    }
}
