package dev.kvstore.benchmark.kvcache.tier;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Things that go when a run ends, the last that came first. For one thread. */
public final class Closings implements AutoCloseable {
    private final Deque<Closeable> things = new ArrayDeque<>();

    /** @param close closes the thing */
    public void add(Closeable close) {
        things.push(close);
    }

    /** Closes all; the first failure is thrown. */
    @Override
    public void close() throws IOException {
        IOException first = null;
        while (!things.isEmpty()) {
            try {
                things.pop().close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
