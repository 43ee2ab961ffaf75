package dev.kvstore.simulation.world;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts a thread of the host for each task, even if the pool of the JDK would have fewer threads. */
class HostExecutor extends AbstractExecutorService {
    private boolean isShutDown;

    @Override
    public void execute(Runnable task) {
        World.current().host().execute(task);
    }

    @Override
    public void shutdown() {
        isShutDown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShutDown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutDown;
    }

    @Override
    public boolean isTerminated() {
        return isShutDown;
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) {
        return isShutDown;
    }

    /** Shuts the executor down, and waits for no task: the executor has no threads of its own. */
    @Override
    public void close() {
        isShutDown = true;
    }
}
