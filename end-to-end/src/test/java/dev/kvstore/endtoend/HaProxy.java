package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** HAProxy as a load balancer of TCP: it hands TLS on as it comes, behind a header of the PROXY protocol, version 2. */
final class HaProxy {
    /** Where its own connections come from. */
    static final String ADDRESS = "127.0.0.9";

    private static final long STOP_SECONDS = 10;

    private final Process process;

    /**
     * A port of the balancer and those that it balances over.
     *
     * @param health HTTPS ports whose readiness decides, in the same order; empty for none
     */
    record Front(int port, List<Integer> backs, List<Integer> health) {
        private String configuration() {
            StringBuilder text = new StringBuilder();
            text.append("listen front-").append(port).append('\n');
            text.append("  bind 127.0.0.1:").append(port).append('\n');
            text.append("  balance roundrobin\n");
            if (!health.isEmpty()) {
                text.append("  option httpchk GET /q/health/ready\n");
            }
            for (int i = 0; i < backs.size(); i++) {
                text.append("  server s").append(i).append(" 127.0.0.1:").append(backs.get(i));
                text.append(" send-proxy-v2 source ").append(ADDRESS);
                if (!health.isEmpty()) {
                    text.append(" check inter 1s fall 1 rise 1 check-ssl verify none port ")
                            .append(health.get(i));
                }
                text.append('\n');
            }
            return text.toString();
        }
    }

    private HaProxy(Process process) {
        this.process = process;
    }

    /** Skips the test where it is not installed. */
    static void require() {
        assumeTrue(GoTool.isOnPath("haproxy"), "missing: haproxy, of the package haproxy");
    }

    static HaProxy start(Path folder, Front... fronts) throws IOException {
        StringBuilder text = new StringBuilder("""
                global
                  maxconn 2000
                defaults
                  mode tcp
                  timeout connect 5s
                  timeout client 10m
                  timeout server 10m
                """);
        for (Front front : fronts) {
            text.append(front.configuration());
        }
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text, UTF_8);
        return new HaProxy(new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.out").toFile())
                .start());
    }

    void stop() throws InterruptedException {
        process.destroy();
        var _ = process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
    }
}
