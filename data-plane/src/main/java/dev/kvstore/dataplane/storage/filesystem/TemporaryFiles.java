package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.LentContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/** Files on their way to a name, in a directory of their own on the same file system. Thread-safe. */
final class TemporaryFiles {
    /** Far longer than any write takes: an older file has no writer any more. */
    static final Duration STALE = Duration.ofHours(1);

    // One per thread that writes; small enough to stay in the CPU's cache between copy and write.
    private static final int CHUNK_BYTES = 128 << 10;
    private static final ThreadLocal<ByteBuffer> CHUNK =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(CHUNK_BYTES));

    private final Path directory;
    private final InstantSource clock;

    TemporaryFiles(Path directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** Removes what writers that were killed left behind. */
    void removeStale() throws IOException {
        Instant limit = clock.instant().minus(STALE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                removeIfOlder(file, limit);
            }
        }
    }

    private static void removeIfOlder(Path file, Instant limit) throws IOException {
        try {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // Its writer was alive, or another process tidies up too.
            return;
        }
    }

    /** Content that is durable, but has no name yet. For platform threads, each of which keeps 128 KiB. */
    Written write(LentContent content) throws IOException {
        Path file = directory.resolve(UUID.randomUUID().toString());
        boolean complete = false;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer chunk = CHUNK.get();
            for (int offset = 0; offset < content.length(); offset += chunk.limit()) {
                content.copy(offset, chunk.clear());
                chunk.flip();
                while (chunk.hasRemaining()) {
                    channel.write(chunk);
                }
            }
            // The kernel's own time moves in ticks of milliseconds, too coarse to tell two versions apart.
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            channel.force(true);
            complete = true;
            return new Written(file);
        } finally {
            if (!complete) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** A durable file without a name; closing it forgets it, unless it has one by then. */
    static final class Written implements AutoCloseable {
        private final Path file;

        private Written(Path file) {
            this.file = file;
        }

        String etag() throws IOException {
            return FileVersion.of(file).etag();
        }

        /** Gives it this name unless that is taken. */
        boolean linkTo(Path name) throws IOException {
            try {
                Files.createLink(name, file);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }

        /** Gives it this name, away from the file that has it. */
        void moveTo(Path name) throws IOException {
            Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(file);
        }
    }
}
