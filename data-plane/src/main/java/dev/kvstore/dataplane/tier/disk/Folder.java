package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.filesystem.DirectIo;
import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a disk tier, which one process has at a time. It holds {@code lock}, which is empty, {@code probe}, a
 * page, and the regions; what else lies there is left alone.
 *
 * @param options how its files are best opened
 * @param buffered why they go through the page cache; null if they do not
 */
record Folder(
        Path path,
        FileChannel lock,
        Set<OpenOption> options,
        @Nullable String buffered) implements AutoCloseable {
    /** What it holds besides regions. */
    static final long BOOKKEEPING_BYTES = BlockMemory.PAGE_BYTES;

    private static final Pattern REGION = Pattern.compile("region-(\\d{7})");

    /**
     * Opens a folder, made if it is missing.
     *
     * @param page of memory for a probe, aligned
     * @throws IOException if it cannot be written, or another process has it; the message says so
     */
    static Folder open(Path path, ByteBuffer page) throws IOException {
        PrivateFiles.createFolders(path);
        PrivateFiles.close(path);
        FileChannel lock =
                PrivateFiles.open(path.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        try {
            lock(path, lock);
            Path probe = path.resolve("probe");
            String buffered;
            try {
                Set<OpenOption> direct = Set.of(DirectIo.option());
                DirectIo.probe(probe, page, direct);
                return new Folder(path, lock, direct, null);
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                buffered = String.valueOf(e.getMessage());
            }
            // If this fails too, it is not for O_DIRECT.
            DirectIo.probe(probe, page, Set.of());
            return new Folder(path, lock, Set.of(), buffered);
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static void lock(Path path, FileChannel lock) throws IOException {
        try {
            FileLock held = lock.tryLock();
            if (held != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            throw new IOException(path + ": in use already by this process", e);
        }
        throw new IOException(path + ": in use by another process; give each data plane a folder of its own");
    }

    /** The file of a region. */
    Path region(int number) {
        return path.resolve("region-%07d".formatted(number));
    }

    /** Numbers of the regions there are. */
    List<Integer> regions() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = REGION.matcher(file.getFileName().toString());
                if (name.matches() && Integer.parseInt(name.group(1)) < Place.MAX_REGIONS) {
                    numbers.add(Integer.parseInt(name.group(1)));
                }
            }
        }
        return numbers;
    }

    @Override
    public void close() throws IOException {
        // The lock goes with the channel.
        lock.close();
    }
}
