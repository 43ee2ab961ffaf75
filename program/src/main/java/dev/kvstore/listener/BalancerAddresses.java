package dev.kvstore.listener;

import dev.kvstore.protocol.host.HostPattern;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses from which only load balancers connect: IP addresses and networks. Immutable. */
public final class BalancerAddresses {
    /** No balancer addresses. */
    public static final String NO_ADDRESS = "none";

    /** The form of a list of addresses, for an error. */
    public static final String SHAPE = "none, or IP addresses and networks, as in 10.0.9.0/24,fd00:9::/64";

    private final List<HostPattern> networks;

    private BalancerAddresses(List<HostPattern> networks) {
        this.networks = List.copyOf(networks);
    }

    /**
     * Reads addresses and networks between commas, IPv6 with or without brackets; or {@link #NO_ADDRESS}.
     *
     * @throws IllegalArgumentException if one of them is no address or network; the message is {@link #SHAPE}
     */
    public static BalancerAddresses of(String text) {
        List<HostPattern> networks = new ArrayList<>();
        if (text.equals(NO_ADDRESS)) {
            return new BalancerAddresses(networks);
        }
        for (String one : text.split(",", -1)) {
            networks.add(network(one.strip()));
        }
        return new BalancerAddresses(networks);
    }

    private static HostPattern network(String text) {
        try {
            HostPattern pattern = HostPattern.of(text.contains(":") && !text.startsWith("[") ? "[" + text + "]" : text);
            if (pattern instanceof HostPattern.Network) {
                return pattern;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(SHAPE, e);
        }
        throw new IllegalArgumentException(SHAPE); // a name, which would need a look-up
    }

    /** Whether the far end of a connection is one of these addresses. */
    public boolean have(@Nullable SocketAddress peer) {
        if (networks.isEmpty() || !(peer instanceof InetSocketAddress address) || address.getAddress() == null) {
            return false;
        }
        String host = host(address.getAddress());
        return networks.stream().anyMatch(network -> network.takes(host));
    }

    /** The text of an address without its network card; IPv4 over IPv6 counts as IPv4. */
    private static String host(InetAddress address) {
        try {
            InetAddress plain = InetAddress.getByAddress(address.getAddress());
            String text = plain.getHostAddress();
            return plain instanceof Inet6Address ? "[" + text + "]" : text;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
