package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.CpuClock;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * nginx with the blocks as files, which the operating system's page cache has, asked by wrk.
 *
 * @param server its process id; its workers are children of it
 * @param files where it looks for blocks, by their numbers
 * @param sendfilePort where it serves them by sendfile(2)
 * @param buffersPort where it does through buffers
 */
record NginxPeer(long server, Wrk wrk, WorkingSet set, Path files, int sendfilePort, int buffersPort)
        implements RunningPeer {
    private static final double SECOND = 1e9;
    private static final int OK = 200;

    /** Starts an nginx in the foreground with a configuration of its own, which serves the same files at two ports. */
    static NginxPeer start(PeerSetup setup) throws IOException, InterruptedException {
        String program = setup.programs().path(PeerProgram.NGINX);
        WorkingSet set = setup.set();
        Path prefix = Files.createDirectories(setup.folder().resolve("nginx"));
        Path files = Files.createDirectories(prefix.resolve("blocks"));
        int port = setup.freePorts(2);
        Path file = Files.writeString(prefix.resolve("nginx.conf"), configuration(program, prefix, files, port));
        List<String> command = Programs.endingWithThis(Programs.command("%s -p %s -c %s", program, prefix, file));
        long pid = setup.processes().listening("nginx", command, port).pid();
        Wrk wrk = Wrk.of(setup.programs().path(PeerProgram.WRK), prefix, set.blocks());
        return new NginxPeer(pid, wrk, set, files, setup.reached(port), setup.reached(port + 1));
    }

    private static String configuration(String program, Path prefix, Path files, int port) throws InterruptedException {
        // Otherwise workers of an nginx that root starts run as the user nobody, who may not read the files.
        String user = "root".equals(System.getProperty("user.name")) ? "user root;" : "";
        // Where a package has them only root may write; a module that was left out knows no such word.
        String built = ProgramRun.of(List.of(program, "-V")).output();
        String temporaryPaths = Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .filter(module -> !built.contains("--without-http_" + module + "_module"))
                .map(module -> module + "_temp_path \"" + prefix + "/" + module + "\";")
                .collect(Collectors.joining(" "));
        return """
                %1$s
                daemon off;
                worker_processes auto;
                pid "%2$s/nginx.pid";
                error_log stderr;
                events { worker_connections 1024; }
                http {
                  access_log off;
                  keepalive_requests 1000000000;
                  open_file_cache max=10000;
                  %3$s
                  server { listen 127.0.0.1:%5$d; root "%4$s"; sendfile on; }
                  server { listen 127.0.0.1:%6$d; root "%4$s"; sendfile off; output_buffers 2 1m; }
                }
                """.formatted(user, prefix, temporaryPaths, files, port, port + 1);
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
        long seconds = Math.max(1, Math.round(time.toNanos() / SECOND));
        Duration before = CpuClock.ofTree(server);
        ProgramRun run = ProgramRun.of(wrk.command(port(operation), threads, clients, seconds))
                .orThrow(PeerProgram.WRK.command());
        double used = CpuClock.ofTree(server).minus(before).toNanos() / SECOND;
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
