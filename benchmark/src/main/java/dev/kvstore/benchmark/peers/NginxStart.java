package dev.kvstore.benchmark.peers;

import dev.kvstore.launcher.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An nginx in the foreground with a configuration of its own, which serves the same files at two ports. */
record NginxStart(PeerSetup place) {
    /** Starts it; it is closed with {@code running}. */
    RunningPeer start(StartedParts running) throws IOException, InterruptedException {
        Path prefix = Files.createDirectories(place.folder().resolve("nginx"));
        Path files = Files.createDirectories(prefix.resolve("blocks"));
        int port = Ports.free(place.random(), 2, 0);
        Path file = Files.writeString(prefix.resolve("nginx.conf"), configuration(prefix, files, port));
        PeerServer server = running.add(
                place.start(PeerProgram.NGINX, List.of("-p", prefix.toString(), "-c", file.toString()), port));
        Wrk wrk = Wrk.of(
                place.programs().path(PeerProgram.WRK), prefix, place.set().blocks());
        return new NginxPeer(server, wrk, place.set(), files, server.reached(port), server.reached(port + 1));
    }

    private String configuration(Path prefix, Path files, int port) throws InterruptedException {
        // Otherwise workers of an nginx that root starts run as the user nobody, who may not read the files.
        String user = System.getProperty("user.name");
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
                """.formatted(
                        "root".equals(user) ? "user root;" : "", prefix, temporaryPaths(prefix), files, port, port + 1);
    }

    /** Where a package has them only root may write; a module that was left out knows no such word. */
    private String temporaryPaths(Path prefix) throws InterruptedException {
        String built = ProgramRun.of(List.of(place.programs().path(PeerProgram.NGINX), "-V"))
                .output();
        return Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .filter(module -> !built.contains("--without-http_" + module + "_module"))
                .map(module -> module + "_temp_path \"" + prefix + "/" + module + "\";")
                .collect(Collectors.joining(" "));
    }
}
