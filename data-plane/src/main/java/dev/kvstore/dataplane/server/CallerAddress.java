package dev.kvstore.dataplane.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a client connects from, also where it comes through a load balancer. Immutable.
 *
 * @param address null where the transport knows none
 * @param origin equal for addresses whose connections are counted together
 */
record CallerAddress(@Nullable SocketAddress address, Object origin) {
    /** Of an IPv6 address, the part that one customer of a provider has. */
    private static final int NETWORK_BYTES = 8;

    static CallerAddress of(@Nullable SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            return new CallerAddress(address, "no address");
        }
        InetAddress ip = internet.getAddress();
        return new CallerAddress(
                address, ip instanceof Inet6Address ? ByteBuffer.wrap(ip.getAddress(), 0, NETWORK_BYTES) : ip);
    }
}
