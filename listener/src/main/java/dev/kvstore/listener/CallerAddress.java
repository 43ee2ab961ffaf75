package dev.kvstore.listener;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a client connects from, also where it comes through a load balancer. Immutable.
 *
 * @param address null where the transport knows none
 * @param origin equal for addresses whose connections are counted together
 */
record CallerAddress(@Nullable SocketAddress address, Object origin) {
    static CallerAddress of(@Nullable SocketAddress address) {
        return new CallerAddress(address, AddressGroup.of(address));
    }
}
