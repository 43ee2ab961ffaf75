package dev.kvstore.dataplane.storage.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Everything that a store does to its directory: each operation is one that a power cut may or may not leave behind,
 * until it is forced. Fails as {@link Files} does. Thread-safe.
 */
interface FileOperations {
    /**
     * A new file, which has no content yet.
     *
     * @param direct whether its pages are written past the page cache, all at once and from memory that begins on one
     */
    NewFile create(Path file, boolean direct) throws IOException;

    /** Whether files in a folder can be written past the page cache. */
    boolean takesDirect(Path folder) throws IOException;

    /** Creates a folder and those above it where they are missing. */
    void createFolders(Path folder) throws IOException;

    /** Gives a file one more name, which must be free. */
    void link(Path name, Path file) throws IOException;

    /** Gives a file another name, away from the file that may have it. */
    void move(Path file, Path name) throws IOException;

    /** Takes a name away; false if there is none. */
    boolean deleteIfExists(Path name) throws IOException;

    /** Makes the names in a folder durable, and the removal of others from there. */
    void force(Path folder) throws IOException;

    /** Waits for the lock that a file stands for, among processes; within one, a lock must not be asked for twice. */
    Closeable lock(Path file) throws IOException;

    /** A file that is being written, by one thread. */
    interface NewFile extends Closeable {
        /** Writes the remaining bytes at its end. */
        void write(ByteBuffer bytes) throws IOException;

        void setModified(Instant time) throws IOException;

        /** Makes the file's content and attributes durable, but not its name. */
        void force() throws IOException;
    }
}
