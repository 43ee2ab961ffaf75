package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.filesystem.DirectIo;
import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a disk, which one process has at a time. It holds {@code lock}, which is empty, the disk's mark, and
 * the regions, with a page {@code probe} beside them. Files of other names are left alone.
 *
 * @param buffered why its files go through the page cache; null if they do not
 */
record Folder(Path path, FileChannel lock, @Nullable String buffered) implements AutoCloseable {
    /** The bytes that the folder holds besides regions. */
    static final long BOOKKEEPING_BYTES = BlockMemory.PAGE_BYTES;

    private static final Pattern REGION = Pattern.compile("region-(\\d{7})");
    private static final System.Logger LOG = System.getLogger(Folder.class.getName());

    /** Another process, or another tier of this one, has the folder, and sees to it. */
    static final class FolderInUseException extends IOException {
        private static final long serialVersionUID = 1;

        private FolderInUseException(String message) {
            super(message);
        }
    }

    /**
     * Opens a folder, and empties it if its disk has missed anything. The folder of a tier is made if it is missing;
     * that of one of several disks is not, since it would lie on another disk.
     *
     * @param page of memory for a probe, aligned
     * @throws FolderInUseException if another process has it
     * @throws IOException if it cannot be written; the message names it
     */
    static Folder open(Path path, DiskMark mark, ByteBuffer page) throws IOException {
        if (mark.isAlone()) {
            PrivateFiles.createFolders(path);
            PrivateFiles.close(path);
            if (!DiskFolders.disks(path).isEmpty()) {
                throw new IOException(path + ": has folders of disks that this process did not start with");
            }
        }
        FileChannel lock =
                PrivateFiles.open(path.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        try {
            lock(path, lock);
            Folder folder = new Folder(path, lock, probe(path.resolve("probe"), page));
            if (!mark.isCurrent() && empty(path)) {
                LOG.log(Level.WARNING, "disk tier: {0} was away, and begins empty", path);
            }
            mark.renew();
            return folder;
        } catch (IOException e) {
            lock.close();
            String message = String.valueOf(e.getMessage());
            throw message.contains(path.toString()) ? e : new IOException(path + ": " + message, e);
        }
    }

    private static void lock(Path path, FileChannel lock) throws IOException {
        try {
            FileLock held = lock.tryLock();
            if (held != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            throw new FolderInUseException(path + ": in use already by this process");
        }
        throw new FolderInUseException(path + ": in use by another process; give each data plane a folder of its own");
    }

    /** Why the folder takes no direct I/O, or null. */
    private static @Nullable String probe(Path probe, ByteBuffer page) throws IOException {
        try {
            DirectIo.probe(probe, page, Set.of(DirectIo.option()));
            return null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // If this fails too, O_DIRECT is not the reason.
            DirectIo.probe(probe, page, Set.of());
            return String.valueOf(e.getMessage());
        }
    }

    /** Fails if the folder cannot be used any more: its disk is gone, say, or read-only. */
    void probe(ByteBuffer page) throws IOException {
        DirectIo.probe(path.resolve("probe"), page, options());
    }

    /** The way in which files are opened, as a text. */
    String mode() {
        return buffered == null ? "direct I/O" : "buffered I/O: " + buffered;
    }

    /** The options with which the folder's files are best opened. */
    Set<OpenOption> options() {
        return buffered == null ? Set.of(DirectIo.option()) : Set.of();
    }

    /** The file of a region. */
    Path region(int number) {
        return path.resolve("region-%07d".formatted(number));
    }

    /** Numbers of the regions there are. */
    List<Integer> regions() throws IOException {
        return DiskFolders.matching(path, REGION).stream()
                .map(file -> DiskFolders.number(file, REGION))
                .filter(number -> number < DiskAddress.MAX_REGIONS)
                .toList();
    }

    /** Deletes the regions in a folder; false if there were none. */
    static boolean empty(Path path) throws IOException {
        List<Path> regions = DiskFolders.matching(path, REGION);
        for (Path region : regions) {
            Files.deleteIfExists(region);
        }
        return !regions.isEmpty();
    }

    @Override
    public void close() throws IOException {
        // The lock goes with the channel.
        lock.close();
    }
}
