package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The service that is measured: a stack of our own, or a service that runs already. For one thread. */
sealed interface Service extends AutoCloseable permits OwnService, RunningService {
    ServiceAccess access();

    /** Its processor time and calls so far; null where the service does not show them. */
    @Nullable
    DataPlaneUse seen();

    /** Deletes the blocks of a partition, where that can be done. */
    void empty(Partition partition) throws IOException;

    /** For people. */
    String name();

    @Override
    void close() throws IOException;
}
