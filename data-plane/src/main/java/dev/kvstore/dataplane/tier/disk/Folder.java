package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.filesystem.DirectIo;
import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a disk tier, which one process has at a time. It holds {@code lock}, which is empty, and the regions,
 * with a page {@code probe} beside them. If it has folders {@code disk-0}, {@code disk-1}, ..., each the mount point of
 * a local disk, the regions lie in these in turns; what else lies there is left alone.
 *
 * @param disks of which one at least can be used
 * @param options how its files are best opened
 * @param buffered why they go through the page cache; null if they do not
 */
record Folder(
        Path path,
        FileChannel lock,
        List<DiskFolder> disks,
        Set<OpenOption> options,
        @Nullable String buffered) implements AutoCloseable {
    /** The bytes that the folder holds besides regions. */
    static final long BOOKKEEPING_BYTES = BlockMemory.PAGE_BYTES;

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
            List<DiskFolder> disks = new ArrayList<>();
            for (Path disk : DiskFolder.paths(path)) {
                disks.add(DiskFolder.open(disk, page));
            }
            if (disks.stream().noneMatch(DiskFolder::isUsable)) {
                throw new IOException(disks.getFirst().flaw());
            }
            if (!disks.getFirst().path().equals(path)) {
                KnownDisks.settle(path, disks);
            }
            String buffered = disks.stream()
                    .map(DiskFolder::buffered)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            return new Folder(
                    path, lock, List.copyOf(disks), buffered == null ? Set.of(DirectIo.option()) : Set.of(), buffered);
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

    private boolean hasDisks() {
        return !disks.getFirst().path().equals(path);
    }

    /** How files are opened, on how many disks, and which of these cannot be used. */
    String mode() {
        String mode = buffered == null ? "direct I/O" : "buffered I/O: " + buffered;
        String flaws = disks.stream()
                .filter(disk -> !disk.isUsable())
                .map(disk -> "; left out: " + disk.flaw())
                .collect(Collectors.joining());
        return hasDisks() ? disks.size() + " disks, " + mode + flaws : mode;
    }

    private DiskFolder disk(int region) {
        return disks.get(region % disks.size());
    }

    /** Whether the disk of a region can be used. */
    boolean takes(int region) {
        return disk(region).isUsable();
    }

    /** The file of a region. */
    Path region(int number) {
        return disk(number).region(number);
    }

    /**
     * Numbers of the regions there are. A region that lies on another disk than its own, because there were fewer disks
     * or more, is deleted.
     */
    List<Integer> regions() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (DiskFolder disk : disks) {
            if (disk.isUsable()) {
                numbers.addAll(disk.regions(number -> disk(number).equals(disk)));
            }
        }
        if (hasDisks()) {
            new DiskFolder(path, null, null).regions(_ -> false);
        }
        return numbers;
    }

    @Override
    public void close() throws IOException {
        // The lock goes with the channel.
        lock.close();
    }
}
