package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;

/** Starts threads that wait for the network ({@link Threads}). Stateless. */
public final class NewThread {
    private NewThread() {}

    /**
     * Starts a thread, which does not keep the JVM from ending.
     *
     * @throws KvStoreException {@code RESOURCE_EXHAUSTED} if the process can have no more threads, perhaps because of a
     *     limit of its container; then nothing was started
     */
    public static Thread start(String name, Runnable task) {
        return start(Threads.unstarted(name, task));
    }

    /** Starts a given thread, like {@link #start(String, Runnable)}. */
    public static Thread start(Thread thread) {
        try {
            thread.start();
            return thread;
        } catch (OutOfMemoryError e) {
            throw Errors.broken("starting a thread", e);
        }
    }
}
