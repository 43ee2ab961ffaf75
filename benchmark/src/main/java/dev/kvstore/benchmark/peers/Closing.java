package dev.kvstore.benchmark.peers;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was started, and is closed in reverse order. For one thread. */
final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T one) {
        started.push(one);
        return one;
    }

    /** Closes all, whatever comes of each. */
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                failure =
                        failure == null ? new IllegalStateException("a process could not be closed: " + e, e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
