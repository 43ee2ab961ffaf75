package dev.kvstore.benchmark.peers;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** The parts that were started; they are closed in reverse order. Thread-safe. */
final class StartedParts implements AutoCloseable {
    /** A process, or several. */
    interface StartedPart extends AutoCloseable {
        @Override
        void close();
    }

    private final Deque<StartedPart> started = new ConcurrentLinkedDeque<>();

    <T extends StartedPart> T add(T one) {
        started.push(one);
        return one;
    }

    /** Closes all, whatever comes of each. */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (@Nullable StartedPart part = started.poll(); part != null; part = started.poll()) {
            try {
                part.close();
            } catch (RuntimeException e) {
                failure =
                        failure == null ? new IllegalStateException("a process could not be closed: " + e, e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
