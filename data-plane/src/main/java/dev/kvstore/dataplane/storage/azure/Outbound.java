package dev.kvstore.dataplane.storage.azure;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The settings of an operator for connections to storage. The JDK's client has neither of the first two limits, and
 * leaves from any address.
 *
 * @param connections most to one host, 1 or more
 * @param dnsTtl how long the addresses of a host are used before they are looked up again
 * @param localAddresses that connections leave from in turn; empty for any
 */
public record Outbound(Transport transport, int connections, Duration dnsTtl, List<InetAddress> localAddresses) {
    /** The defaults. */
    public static final Outbound DEFAULT = new Outbound(Transport.NETTY, 100, Duration.ofMinutes(5), List.of());

    public Outbound {
        localAddresses = List.copyOf(localAddresses);
    }

    /** These settings with another HTTP client. */
    public Outbound over(Transport other) {
        return new Outbound(other, connections, dnsTtl, localAddresses);
    }
}
