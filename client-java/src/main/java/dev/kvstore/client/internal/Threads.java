package dev.kvstore.client.internal;

/**
 * Makes threads that wait for the network. On Java 21 and newer they are virtual: the jar has a second version of this
 * class there. Stateless.
 */
public final class Threads {
    private Threads() {}

    /** A thread that its caller starts. The thread does not keep the JVM from ending. */
    public static Thread unstarted(String name, Runnable task) {
        return daemon(name, task);
    }

    /** A platform thread that its caller starts. The thread does not keep the JVM from ending. */
    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
