package dev.kvstore.dataplane.server;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made once, when it is first asked for. Thread-safe; callers wait while it is being made. */
final class Lazy<T> {
    private final Supplier<T> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable T made;

    Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        T known = made;
        return known == null ? make() : known;
    }

    private T make() {
        lock.lock();
        try {
            T known = made;
            if (known == null) {
                known = maker.get();
                made = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Does nothing if nobody asked yet. */
    void ifMade(Consumer<T> action) {
        T known = made;
        if (known != null) {
            action.accept(known);
        }
    }
}
