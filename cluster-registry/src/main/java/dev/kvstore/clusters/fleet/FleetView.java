package dev.kvstore.clusters.fleet;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The fleet as it was last read from the database, about once in {@link Rules#SNAPSHOT}. While the database does not
 * answer, the last one stays. Thread-safe.
 */
public interface FleetView {
    /** The fleet that was read last; empty before the first reading. */
    Optional<Fleet> now();

    /**
     * Calls a listener for the present fleet, if there is one, and for each fleet that is read from now on. The reading
     * thread calls all listeners one after the other, so a listener must not wait for anything. Exceptions of a
     * listener are logged.
     *
     * @return closes the subscription
     */
    Subscription onChange(Consumer<Fleet> listener);

    /** The subscription of a listener. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        /** Ends the subscription. A call that is running goes on. */
        @Override
        void close();
    }
}
