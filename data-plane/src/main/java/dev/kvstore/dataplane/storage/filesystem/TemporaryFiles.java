package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.LentContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/** Files on their way to a name, in a directory of their own on the same file system. Thread-safe. */
final class TemporaryFiles {
    /** The age at which a file has no writer any more: far longer than any write takes. */
    static final Duration STALE = Duration.ofHours(1);

    // Each thread that writes has one chunk, small enough to stay in the CPU's cache between copy and write.
    private static final int CHUNK_BYTES = 128 << 10;
    private static final ThreadLocal<ByteBuffer> CHUNK =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(CHUNK_BYTES));

    private final Path directory;
    private final InstantSource clock;
    private final FileOperations operations;
    private final boolean direct;

    private TemporaryFiles(Path directory, InstantSource clock, FileOperations operations, boolean direct) {
        this.directory = directory;
        this.clock = clock;
        this.operations = operations;
        this.direct = direct;
    }

    /** Files in a directory that is there. */
    static TemporaryFiles open(Path directory, InstantSource clock, FileOperations operations) throws IOException {
        return new TemporaryFiles(directory, clock, operations, operations.takesDirect(directory));
    }

    /** Removes the files that killed writers left behind. */
    void removeStale() throws IOException {
        Instant limit = clock.instant().minus(STALE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                removeIfOlder(file, limit);
            }
        }
    }

    private void removeIfOlder(Path file, Instant limit) throws IOException {
        try {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                operations.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // The file's writer was alive, or another process tidies up too.
            return;
        }
    }

    /** Writes content that is durable, but has no name yet. For platform threads, each of which keeps up to 128 KiB. */
    UnnamedFile write(FileContent content) throws IOException {
        Path file = directory.resolve(UUID.randomUUID().toString());
        boolean complete = false;
        try (FileOperations.NewFile target = operations.create(file, direct && content instanceof FileContent.Pages)) {
            switch (content) {
                case FileContent.CopiedContent(LentContent lent) -> copy(lent, target);
                case FileContent.Pages(BlockMemory memory) -> target.write(memory.bytes());
            }
            // The kernel's own time moves in ticks of milliseconds, too coarse to tell two versions apart.
            target.setModified(clock.instant());
            target.force();
            complete = true;
            return new UnnamedFile(file, operations);
        } finally {
            if (!complete) {
                operations.deleteIfExists(file);
            }
        }
    }

    private static void copy(LentContent content, FileOperations.NewFile target) throws IOException {
        ByteBuffer chunk = CHUNK.get();
        for (int offset = 0; offset < content.length(); offset += chunk.limit()) {
            content.copy(offset, chunk.clear());
            target.write(chunk.flip());
        }
    }

    /** A durable file without a name; closing it deletes the file, unless it has a name by then. */
    static final class UnnamedFile implements AutoCloseable {
        private final Path file;
        private final FileOperations operations;

        private UnnamedFile(Path file, FileOperations operations) {
            this.file = file;
            this.operations = operations;
        }

        String etag() throws IOException {
            return FileVersion.of(file).etag();
        }

        /** Gives the file this name, unless the name is taken. */
        boolean linkTo(Path name) throws IOException {
            try {
                operations.link(name, file);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }

        /** Gives the file this name, away from the file that has it. */
        void moveTo(Path name) throws IOException {
            operations.move(file, name);
        }

        @Override
        public void close() throws IOException {
            operations.deleteIfExists(file);
        }
    }
}
