package dev.kvstore.listener;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The address of a client, also of one behind a load balancer. Immutable.
 *
 * @param address the address; null if the transport knows none
 * @param origin equal for addresses whose connections are counted together
 */
record CallerAddress(@Nullable SocketAddress address, Object origin) {
    static CallerAddress of(@Nullable SocketAddress address) {
        return new CallerAddress(address, AddressGroup.of(address));
    }
}
