package dev.kvstore.dataplane.storage.http;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * From which local to which remote address the next connection goes: each in turn, and of one family. Thread-safe.
 *
 * @param locals of this machine; empty for any
 */
record SocketRoute(List<InetAddress> locals, AtomicInteger turn) {
    /** Both ends of a connection; without a local one, the operating system chooses it. */
    record Leg(@Nullable InetAddress local, InetAddress remote) {}

    SocketRoute(List<InetAddress> locals) {
        this(List.copyOf(locals), new AtomicInteger());
    }

    /** The next one to a host of these addresses, one at least, those first that the system prefers. */
    Leg next(List<InetAddress> remotes) {
        int number = turn.getAndIncrement() & Integer.MAX_VALUE;
        InetAddress preferred = remotes.stream()
                .filter(remote -> !like(remote, locals).isEmpty())
                .findFirst()
                .orElse(remotes.getFirst());
        List<InetAddress> from = like(preferred, locals);
        List<InetAddress> to = like(preferred, remotes);
        // Over all pairs, also where as many locals as remotes would always meet the same.
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
