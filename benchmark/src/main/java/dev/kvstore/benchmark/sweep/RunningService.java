package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import org.jspecify.annotations.Nullable;

/** A service that somebody else runs. Blocks that are written to it stay there. */
record RunningService(ServiceAccess access) implements Service {
    /**
     * Asks each of its data planes once.
     *
     * @param probe a chain that the service may or may not have
     * @throws LaunchException if one does not answer, or refuses
     */
    static RunningService reach(ServiceAccess access, Partition partition, BlockChain probe) {
        access.reach("--endpoint", partition, probe);
        return new RunningService(access);
    }

    @Override
    public @Nullable DataPlaneUse seen() {
        return null;
    }

    @Override
    public void empty(Partition partition) {
        // A client cannot delete through the service.
    }

    @Override
    public String name() {
        return "a running service at " + String.join(", ", access.endpoints());
    }

    @Override
    public void close() {
        // It goes on.
    }
}
