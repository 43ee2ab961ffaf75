package dev.kvstore.client.internal;

/** Makes virtual threads, which wait for the network at the cost of an object. Stateless. */
public final class Threads {
    private Threads() {}

    /** A thread that its caller starts. It does not keep the JVM from ending. */
    public static Thread unstarted(String name, Runnable task) {
        return Thread.ofVirtual().name(name).unstarted(task);
    }

    /** A platform thread that its caller starts. It does not keep the JVM from ending. */
    static Thread daemon(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name(name).unstarted(task);
    }
}
