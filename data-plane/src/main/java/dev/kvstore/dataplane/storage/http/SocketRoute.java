package dev.kvstore.dataplane.storage.http;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the local and the remote address of the next connection: each in turn, and of one family. Thread-safe.
 *
 * @param locals of this machine; empty for any
 */
record SocketRoute(List<InetAddress> locals, AtomicInteger turn) {
    /** Both ends of a connection; without a local one, the operating system chooses it. */
    record Leg(@Nullable InetAddress local, InetAddress remote) {}

    SocketRoute(List<InetAddress> locals) {
        this(List.copyOf(locals), new AtomicInteger());
    }

    /** The next connection's ends to a host of these addresses, one at least, in the system's order of preference. */
    Leg next(List<InetAddress> remotes) {
        int number = turn.getAndIncrement() & Integer.MAX_VALUE;
        InetAddress preferred = remotes.stream()
                .filter(remote -> !like(remote, locals).isEmpty())
                .findFirst()
                .orElse(remotes.getFirst());
        List<InetAddress> from = like(preferred, locals);
        List<InetAddress> to = like(preferred, remotes);
        // The turns go over all pairs, also where as many locals as remotes would always meet the same.
        return from.isEmpty()
                ? new Leg(null, to.get(number % to.size()))
                : new Leg(from.get(number % from.size()), to.get(number / from.size() % to.size()));
    }

    private static List<InetAddress> like(InetAddress address, List<InetAddress> others) {
        return others.stream()
                .filter(other -> other.getClass() == address.getClass())
                .toList();
    }
}
