package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;

/** Starts threads that wait for the network ({@link Threads}). Stateless. */
public final class NewThread {
    private NewThread() {}

    /**
     * A thread that has begun. It does not keep the JVM from ending.
     *
     * @throws KvStoreException {@code RESOURCE_EXHAUSTED} if the process can have no more threads, which a limit of its
     *     container may decide; nothing has begun then
     */
    public static Thread start(String name, Runnable task) {
        return start(Threads.unstarted(name, task));
    }

    /** As {@link #start(String, Runnable)}, with a thread that is there. */
    public static Thread start(Thread thread) {
        try {
            thread.start();
            return thread;
        } catch (OutOfMemoryError e) {
            throw Errors.broken("starting a thread", e);
        }
    }
}
