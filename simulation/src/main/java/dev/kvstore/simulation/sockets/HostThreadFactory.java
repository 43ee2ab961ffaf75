package dev.kvstore.simulation.sockets;

import dev.kvstore.simulation.world.World;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/** Makes threads of the host that asks. This factory replaces Netty's, whose threads are not virtual. */
public final class HostThreadFactory extends DefaultThreadFactory {
    public HostThreadFactory(Class<?> pool) {
        super(pool);
    }

    public HostThreadFactory(Class<?> pool, int priority) {
        super(pool, priority);
    }

    public HostThreadFactory(Class<?> pool, boolean isDaemon, int priority) {
        super(pool, isDaemon, priority);
    }

    public HostThreadFactory(String pool, boolean isDaemon) {
        super(pool, isDaemon);
    }

    public HostThreadFactory(String pool, boolean isDaemon, int priority, @Nullable ThreadGroup group) {
        super(pool, isDaemon, priority, group);
    }

    @Override
    protected Thread newThread(Runnable task, String name) {
        return World.current().host().unstarted(task);
    }
}
