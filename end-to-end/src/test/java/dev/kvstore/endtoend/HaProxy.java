package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** HAProxy as a load balancer of TCP: it hands TLS on as it comes, behind a header of the PROXY protocol, version 2. */
final class HaProxy {
    /** Where its own connections come from. */
    static final String ADDRESS = "127.0.0.9";

    private static final long STOP_SECONDS = 10;

    /** Its socket for commands, in its folder. */
    private static final String STATISTICS = "haproxy.socket";

    /** Columns of its statistics. */
    private static final int NAME = 1;

    private static final int STATUS = 17;
    private static final int MOST_BYTES = 1024 * 1024;

    private final Process process;
    private final Path statistics;

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
                    text.append(" check inter 1s fall 3 rise 1 check-ssl verify none port ")
                            .append(health.get(i));
                }
                text.append('\n');
            }
            return text.toString();
        }
    }

    private HaProxy(Process process, Path statistics) {
        this.process = process;
        this.statistics = statistics;
    }

    /** Skips the test where it is not installed. */
    static void require() {
        assumeTrue(GoTool.isOnPath("haproxy"), "missing: haproxy, of the package haproxy");
    }

    static HaProxy start(Path folder, Front... fronts) throws IOException {
        StringBuilder text = new StringBuilder("""
                global
                  maxconn 2000
                  stats socket %s mode 600
                defaults
                  mode tcp
                  timeout connect 5s
                  timeout client 10m
                  timeout server 10m
                """.formatted(folder.resolve(STATISTICS)));
        for (Front front : fronts) {
            text.append(front.configuration());
        }
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text, UTF_8);
        Process process = new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.out").toFile())
                .start();
        return new HaProxy(process, folder.resolve(STATISTICS));
    }

    /** How many of the servers whose health it asks for get connections now. */
    long serversInUse() throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(statistics))) {
            channel.write(ByteBuffer.wrap("show stat\n".getBytes(US_ASCII)));
            String table = new String(Channels.newInputStream(channel).readNBytes(MOST_BYTES), US_ASCII);
            return table.lines()
                    .map(line -> line.split(",", -1))
                    .filter(row -> row.length > STATUS && row[NAME].matches("s[0-9]+") && row[STATUS].startsWith("UP"))
                    .count();
        }
    }

    void stop() throws InterruptedException {
        process.destroy();
        var _ = process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
    }
}
