package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.BlockMemory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** The file system of this machine. */
final class RealFiles implements FileOperations {
    private static final System.Logger LOG = System.getLogger(RealFiles.class.getName());

    @Override
    public NewFile create(Path file, boolean direct) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        if (direct) {
            options.add(DirectIo.option());
        }
        return new Opened(file, PrivateFiles.open(file, options), direct);
    }

    @Override
    public boolean takesDirect(Path folder) throws IOException {
        Path probe = folder.resolve("probe-" + UUID.randomUUID());
        try {
            DirectIo.probe(probe, DirectIo.newPage(), Set.of(DirectIo.option()));
            return true;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // The next write finds any other error.
            LOG.log(Level.DEBUG, () -> folder + ": files go through the page cache: " + e.getMessage());
            return false;
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        PrivateFiles.createFolders(folder);
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
        FileChannel channel = PrivateFiles.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
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

    private record Opened(Path file, FileChannel channel, boolean direct) implements NewFile {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
            if (!direct) {
                write(bytes, channel);
                return;
            }
            int end = bytes.limit();
            int rest = bytes.remaining() % BlockMemory.PAGE_BYTES;
            write(bytes.limit(end - rest), channel);
            if (rest > 0) {
                // To fill the page and cut the file off would have ext4 read that page again.
                try (FileChannel cached = FileChannel.open(file, StandardOpenOption.APPEND)) {
                    write(bytes.limit(end), cached);
                }
            }
        }

        private static void write(ByteBuffer bytes, FileChannel to) throws IOException {
            while (bytes.hasRemaining()) {
                to.write(bytes);
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
