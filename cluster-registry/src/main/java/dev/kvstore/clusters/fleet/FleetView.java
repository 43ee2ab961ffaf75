package dev.kvstore.clusters.fleet;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The fleet as the database had it last. It is read again about once in {@link Rules#SNAPSHOT}; while the database does not
 * answer, the last one stays. Thread-safe.
 */
public interface FleetView {
    /** The last one that was read; empty until the first has been. */
    Optional<Fleet> now();

    /**
     * Has a listener told of each fleet that is read from now on, and of the present one if there is one. They are told one
     * after the other by the thread that reads, so a listener must not wait for anything; what it throws is logged.
     *
     * @return ends that
     */
    Subscription onChange(Consumer<Fleet> listener);

    /** That a listener is told. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        /** It is told no more, but for what it is being told. */
        @Override
        void close();
    }
}
