package dev.kvstore.client.internal;

/** Virtual threads, which wait for the network at the cost of an object. Stateless. */
public final class Threads {
    private Threads() {}

    /** A thread that has begun. It does not keep the JVM from ending. */
    public static Thread start(String name, Runnable task) {
        return Thread.ofVirtual().name(name).start(task);
    }

    /** A thread that its caller starts. It does not keep the JVM from ending. */
    public static Thread unstarted(String name, Runnable task) {
        return Thread.ofVirtual().name(name).unstarted(task);
    }

    /** A platform thread that its caller starts. It does not keep the JVM from ending. */
    public static Thread daemon(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name(name).unstarted(task);
    }
}
