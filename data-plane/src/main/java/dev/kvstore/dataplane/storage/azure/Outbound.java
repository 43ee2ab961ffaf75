package dev.kvstore.dataplane.storage.azure;

import dev.kvstore.dataplane.storage.http.HttpProxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an operator for connections to storage. The JDK's client has none of the first three, and
 * leaves from any address.
 *
 * @param connections most to one host, 1 or more
 * @param allConnections most to all hosts together, 1 or more
 * @param proxy that all connections go through, but for those within this machine or to a link-local address; null for
 *     none
 * @param dnsTtl how long the addresses of a host are used before they are looked up again
 * @param localAddresses that connections leave from in turn; empty for any
 */
public record Outbound(
        Transport transport,
        int connections,
        int allConnections,
        @Nullable HttpProxy proxy,
        Duration dnsTtl,
        List<InetAddress> localAddresses) {
    /** The defaults. */
    public static final Outbound DEFAULT =
            new Outbound(Transport.NETTY, 100, 4_000, null, Duration.ofMinutes(5), List.of());

    public Outbound {
        localAddresses = List.copyOf(localAddresses);
    }

    /** These settings with a proxy. */
    public Outbound through(HttpProxy other) {
        return new Outbound(transport, connections, allConnections, other, dnsTtl, localAddresses);
    }

    /** These settings with another HTTP client. */
    public Outbound over(Transport other) {
        return new Outbound(other, connections, allConnections, proxy, dnsTtl, localAddresses);
    }
}
