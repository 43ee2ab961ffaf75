package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetView;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Holds the fleet that was read last. Thread-safe. */
public final class Fleets implements FleetView {
    private static final Logger LOG = System.getLogger(Fleets.class.getName());

    private final List<Consumer<Fleet>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock telling = new ReentrantLock();
    private volatile FleetReader.@Nullable FleetSnapshot last;

    /** Holds this fleet from now on, and passes it to its listeners. */
    public void set(FleetReader.FleetSnapshot snapshot) {
        telling.lock();
        try {
            last = snapshot;
            listeners.forEach(listener -> tell(listener, snapshot.fleet()));
        } finally {
            telling.unlock();
        }
    }

    private static void tell(Consumer<Fleet> listener, Fleet fleet) {
        try {
            listener.accept(fleet);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a listener to the fleet failed", e);
        }
    }

    /** The last reading, with the lists of peers that members get; empty until the first reading. */
    public Optional<FleetReader.FleetSnapshot> snapshot() {
        return Optional.ofNullable(last);
    }

    @Override
    public Optional<Fleet> now() {
        return snapshot().map(FleetReader.FleetSnapshot::fleet);
    }

    @Override
    public Subscription onChange(Consumer<Fleet> listener) {
        telling.lock();
        try {
            now().ifPresent(fleet -> tell(listener, fleet));
            listeners.add(listener);
        } finally {
            telling.unlock();
        }
        return () -> listeners.remove(listener);
    }
}
