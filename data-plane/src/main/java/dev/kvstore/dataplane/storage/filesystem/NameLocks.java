package dev.kvstore.dataplane.storage.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * One holder at a time for a name, among all threads of all processes that share the directory. Names share a fixed
 * number of locks. Thread-safe.
 */
final class NameLocks {
    // A power of two; compare-and-swap is for a handful of index blobs, so names seldom meet.
    private static final int LOCKS = 64;

    // A process holds a file lock as a whole, whichever thread or store took it: so these are the process's, too. By
    // directory, since one that hangs must not stop the others; as many as storage locations, so none is ever removed.
    private static final Map<Path, List<ReentrantLock>> IN_PROCESS = new ConcurrentHashMap<>();

    private final Path directory;
    private final List<ReentrantLock> inProcess;

    /** The locks of a directory, given by its real path. */
    NameLocks(Path directory) {
        this.directory = directory;
        this.inProcess = IN_PROCESS.computeIfAbsent(
                directory,
                _ -> IntStream.range(0, LOCKS)
                        .mapToObj(_ -> new ReentrantLock())
                        .toList());
    }

    /** Waits for the lock of a name, which the caller closes. */
    Held lock(String name) throws IOException {
        int index = name.hashCode() & (LOCKS - 1);
        ReentrantLock threads = inProcess.get(index);
        threads.lock();
        boolean held = false;
        try {
            FileChannel channel = FileChannel.open(
                    directory.resolve(Integer.toString(index)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                channel.lock();
                held = true;
            } finally {
                if (!held) {
                    channel.close();
                }
            }
            return new Held(threads, channel);
        } finally {
            if (!held) {
                threads.unlock();
            }
        }
    }

    /** A lock; closing it lets the next one in. For the thread that took it. */
    record Held(ReentrantLock inProcess, FileChannel channel) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                channel.close();
            } finally {
                inProcess.unlock();
            }
        }
    }
}
