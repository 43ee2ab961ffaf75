package dev.kvstore.benchmark.kvcache.workload;

import org.jspecify.annotations.Nullable;

/** The requests of a run in the order of their arrival. For one thread. */
public interface RequestSource extends AutoCloseable {
    /** The next request; null if there is none any more. */
    @Nullable
    UserRequest next();

    /** Whether the run ends when there are no more requests and all are answered. */
    default boolean ends() {
        return false;
    }

    @Override
    default void close() {}
}
