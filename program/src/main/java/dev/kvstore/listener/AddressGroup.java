package dev.kvstore.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Groups addresses whose connections are counted together. */
public final class AddressGroup {
    /** The bytes of an IPv6 address that name one customer of a provider. */
    private static final int NETWORK_BYTES = 8;

    private AddressGroup() {}

    /**
     * Equal for addresses that are counted together: an IPv4 address, or the first 64 bits of an IPv6 address. All
     * other addresses form one group.
     */
    public static Object of(@Nullable SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet) || internet.getAddress() == null) {
            return "no address";
        }
        InetAddress ip = internet.getAddress();
        return ip instanceof Inet6Address ? ByteBuffer.wrap(ip.getAddress(), 0, NETWORK_BYTES) : ip;
    }
}
