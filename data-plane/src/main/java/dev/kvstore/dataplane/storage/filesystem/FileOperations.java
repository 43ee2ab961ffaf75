package dev.kvstore.dataplane.storage.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * Everything that a store does to its directory: each operation is one that a power cut may or may not leave behind,
 * until it is forced. Fails as {@link Files} does. Thread-safe.
 */
interface FileOperations {
    /** The file system of this machine. */
    FileOperations REAL = new Real();

    /** A new file, which has no content yet. */
    NewFile create(Path file) throws IOException;

    /** Creates a folder and those above it where they are missing. */
    void createFolders(Path folder) throws IOException;

    /** Gives a file one more name, which must be free. */
    void link(Path name, Path file) throws IOException;

    /** Gives a file another name, away from the file that may have it. */
    void move(Path file, Path name) throws IOException;

    /** Takes a name away; false if there is none. */
    boolean deleteIfExists(Path name) throws IOException;

    /** Makes the names in a folder durable, and that others are gone from there. */
    void force(Path folder) throws IOException;

    /** Waits for the lock that a file stands for, among processes; within one, a lock must not be asked for twice. */
    Closeable lock(Path file) throws IOException;

    /** A file that is being written, by one thread. */
    interface NewFile extends Closeable {
        /** Writes the remaining bytes at its end. */
        void write(ByteBuffer bytes) throws IOException;

        void setModified(Instant time) throws IOException;

        /** Makes what was written and set durable, but not the file's name. */
        void force() throws IOException;
    }

    /** See {@link #REAL}. */
    final class Real implements FileOperations {
        private Real() {}

        @Override
        public NewFile create(Path file) throws IOException {
            return new Opened(file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        }

        @Override
        public void createFolders(Path folder) throws IOException {
            Files.createDirectories(folder);
        }

        @Override
        public void link(Path name, Path file) throws IOException {
            Files.createLink(name, file);
        }

        @Override
        public void move(Path file, Path name) throws IOException {
            Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public boolean deleteIfExists(Path name) throws IOException {
            return Files.deleteIfExists(name);
        }

        @Override
        public void force(Path folder) throws IOException {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }

        @Override
        public Closeable lock(Path file) throws IOException {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean held = false;
            try {
                channel.lock();
                held = true;
                return channel;
            } finally {
                if (!held) {
                    channel.close();
                }
            }
        }

        private record Opened(Path file, FileChannel channel) implements NewFile {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }

            @Override
            public void setModified(Instant time) throws IOException {
                Files.setLastModifiedTime(file, FileTime.from(time));
            }

            @Override
            public void force() throws IOException {
                channel.force(true);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        }
    }
}
