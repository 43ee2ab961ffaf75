package dev.kvstore.simulation.world;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A pool that several hosts may share, since it has no threads: each task gets a thread of the host that brings the
 * task.
 */
@InPlaceOf(ThreadPoolExecutor.class)
public final class HostThreadPool extends ThreadPoolExecutor {
    public HostThreadPool(int core, int most, long idle, TimeUnit unit, BlockingQueue<Runnable> queue) {
        super(core, most, idle, unit, queue);
    }

    public HostThreadPool(
            int core, int most, long idle, TimeUnit unit, BlockingQueue<Runnable> queue, ThreadFactory factory) {
        super(core, most, idle, unit, queue);
    }

    public HostThreadPool(
            int core,
            int most,
            long idle,
            TimeUnit unit,
            BlockingQueue<Runnable> queue,
            ThreadFactory factory,
            RejectedExecutionHandler full) {
        super(core, most, idle, unit, queue);
    }

    @Override
    public void execute(Runnable task) {
        World.current().host().execute(task);
    }
}
