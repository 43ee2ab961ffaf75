package dev.kvstore.simulation.world;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts a thread of the host for each task: also where a pool of the JDK had fewer threads. */
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

    /** As {@link #shutdown}: there is no thread of its own to wait for. */
    @Override
    public void close() {
        isShutDown = true;
    }
}
