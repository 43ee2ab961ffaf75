package dev.kvstore.dataplane.storage.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Locks of names: each has one holder at a time, among all threads of all processes that share the directory. Names
 * share a fixed number of locks. Thread-safe.
 */
final class NameLocks {
    // A power of two; compare-and-swap is for a handful of index blobs, so names seldom meet.
    private static final int LOCKS = 64;

    // A process holds a file lock as a whole, whichever thread or store took it: so these locks are the process's, too.
    // Each directory has its own, since one that hangs must not stop the others. There are as many as storage
    // locations, so none is ever removed.
    private static final Map<Path, List<ReentrantLock>> IN_PROCESS = new ConcurrentHashMap<>();

    private final Path directory;
    private final FileOperations operations;
    private final List<ReentrantLock> inProcess;

    /** The locks of a directory, with those among the threads of this process. */
    NameLocks(Path directory, FileOperations operations, List<ReentrantLock> inProcess) {
        this.directory = directory;
        this.operations = operations;
        this.inProcess = inProcess;
    }

    /** The locks of a directory, given by its real path. */
    static NameLocks of(Path directory, FileOperations operations) {
        return new NameLocks(directory, operations, IN_PROCESS.computeIfAbsent(directory, _ -> threadLocks()));
    }

    /** New locks, as a process needs them among its threads. */
    static List<ReentrantLock> threadLocks() {
        return IntStream.range(0, LOCKS).mapToObj(_ -> new ReentrantLock()).toList();
    }

    /** Waits for the lock of a name, which the caller closes. */
    HeldLock lock(String name) throws IOException {
        int index = name.hashCode() & (LOCKS - 1);
        ReentrantLock threads = inProcess.get(index);
        threads.lock();
        boolean held = false;
        try {
            Closeable processes = operations.lock(directory.resolve(Integer.toString(index)));
            held = true;
            return new HeldLock(threads, processes);
        } finally {
            if (!held) {
                threads.unlock();
            }
        }
    }

    /** A lock; closing it lets the next one in. For the thread that took it. */
    record HeldLock(ReentrantLock inProcess, Closeable processes) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                processes.close();
            } finally {
                inProcess.unlock();
            }
        }
    }
}
