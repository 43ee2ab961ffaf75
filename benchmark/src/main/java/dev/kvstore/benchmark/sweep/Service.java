package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What is measured: a stack of our own, or a service that runs already. For one thread. */
sealed interface Service extends AutoCloseable permits OwnService, RunningService {
    ServiceAccess access();

    /** What it has used and done so far; null where it does not let us see. */
    @Nullable
    DataPlaneUse seen();

    /** Takes away what was written to a partition, where that can be done. */
    void empty(Partition partition) throws IOException;

    /** For people. */
    String name();

    @Override
    void close() throws IOException;
}
