package dev.kvstore.dataplane.account.control;

import dev.kvstore.protocol.host.HostNames;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a replica of the control plane. */
public record ControlPlaneReplica(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9.-]+):([0-9]{1,5})");

    /** Seconds between probes: gRPC's least. Control planes and data planes permit a probe every 5 s. */
    private static final long PROBE_SECONDS = 10;

    /** Seconds for the answer to a probe: more than any answer takes on a network that works. A lease lasts 15 s. */
    private static final long PROBE_TIMEOUT_SECONDS = 4;

    // A host counts as loopback by its text alone: a name server's answer of today is no reason to send in clear.
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");

    /**
     * Reads {@code HOST:PORT[,HOST:PORT...]}.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    public static List<ControlPlaneReplica> all(String text) {
        List<ControlPlaneReplica> replicas = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher form = FORM.matcher(one.strip());
            int port = form.matches() ? Integer.parseInt(form.group(2)) : 0;
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("must be HOST:PORT, or several of them joined by ',', not \"" + text
                        + "\"" + HostNames.hint(one.strip()));
            }
            replicas.add(new ControlPlaneReplica(form.group(1), port));
        }
        return List.copyOf(replicas);
    }

    /** Whether the bytes sent to this replica stay on this machine. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /** A channel to this replica in clear. */
    ManagedChannel channelInClear() {
        return builder().usePlaintext().build();
    }

    /** A channel to this replica over TLS. */
    ManagedChannel channel(SslContext tls) {
        return builder().sslContext(tls).build();
    }

    private NettyChannelBuilder builder() {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return connecting(NettyChannelBuilder.forAddress(bare, port));
    }

    /**
     * Makes channels connect directly, whatever proxy the JVM has for HTTP: a proxy leads out, and the other end is
     * within. While calls are open, silent connections are probed, and given up if a probe has no answer: a firewall or
     * balancer may have forgotten them without a word, and TCP would try for a quarter of an hour.
     */
    public static NettyChannelBuilder connecting(NettyChannelBuilder builder) {
        return builder.proxyDetector(_ -> null)
                .keepAliveTime(PROBE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PROBE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
