package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Arguments;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.LentContent;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Blobs as files. A blob is written to a temporary file, made durable there, and then appears under its name in one
 * step: by a hard link, which never overwrites, or by a rename under a lock. So a crash at any moment leaves each name
 * as it was or complete. Any number of stores, in any number of processes, may share a directory of a local disk; it
 * must be on one file system that has hard links. Anything under a blob's name that is not a regular file (a pipe, a
 * device, a folder, a symbolic link) is a {@link StorageException} and stays: an admin must remove it.
 *
 * <p>Each directory has threads of its own, so that a file system that hangs stops nobody else. Callers are refused
 * after 30 s of waiting for a thread, or for its work; a get waits for two such steps. Where another directory is under
 * the path of the one that was opened, or none, every call is refused. Thread-safe.
 */
public final class FilesystemStore implements BlockStore {
    // Most threads of a directory: as many calls as a disk with deep queues works on at a time.
    private static final int THREADS = 32;

    // The longest wait of a caller: far more than a disk that works takes for the largest blob.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    // The threads of each directory, which may hang while it is opened, again and again. There are as many entries as
    // storage locations, so none is ever removed; threads end when idle.
    private static final Map<Path, DiskThreads> OF_DIRECTORY = new ConcurrentHashMap<>();

    private final Disk disk;
    private final DiskThreads threads;

    private FilesystemStore(Disk disk, DiskThreads threads) {
        this.disk = disk;
        this.threads = threads;
    }

    /**
     * The store of a directory, which is created if missing; removes half-written files of killed processes.
     *
     * @param clock gives blobs their times, and half-written files their age
     */
    public static FilesystemStore open(Path directory, InstantSource clock) throws StorageException {
        return open(directory, clock, OF_DIRECTORY.computeIfAbsent(directory, _ -> new DiskThreads(THREADS, PATIENCE)));
    }

    /** A store that works on these threads. */
    static FilesystemStore open(Path directory, InstantSource clock, DiskThreads threads) throws StorageException {
        Disk disk = threads.run("directory " + directory, null, () -> Disk.open(directory, clock));
        return new FilesystemStore(disk, threads);
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireMost(most);
        while (true) {
            FileVersion version = version(name);
            if (version == null) {
                return null;
            }
            if (WrongSizeBlob.is(version.size(), most)) {
                return new WrongSizeBlob(version.etag(), version.size());
            }
            Blob blob = read(name, version, 0, (int) version.size(), allocator);
            if (blob != null) {
                return blob;
            }
        }
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireRange(offset, length);
        while (true) {
            FileVersion version = version(name);
            if (version == null || version.size() <= offset) {
                return null;
            }
            Blob blob = read(name, version, offset, (int) Math.min(length, version.size() - offset), allocator);
            if (blob != null) {
                return blob;
            }
        }
    }

    private <T extends @Nullable Object> T run(String subject, @Nullable BlockMemory lent, DiskThreads.DiskWork<T> work)
            throws StorageException {
        return threads.run(subject, lent, () -> disk.inPlace(subject, work));
    }

    private @Nullable FileVersion version(String name) throws StorageException {
        return run("blob " + name, null, () -> disk.version(name));
    }

    /** Bytes of a version of a blob, or null if the version is gone. Waits for memory here, not on a disk's thread. */
    private @Nullable Blob read(String name, FileVersion version, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        BlockMemory memory = allocator.allocate(length);
        boolean kept = false;
        try {
            kept = run("blob " + name, memory, () -> disk.read(name, version, offset, memory.bytes()));
            return kept ? new Blob(memory, version.etag(), version.size()) : null;
        } finally {
            if (!kept) {
                memory.release();
            }
        }
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireMost(most);
        FileVersion version = version(name);
        if (version != null && version.etag().equals(etag)) {
            return new BlobChange.Unchanged();
        }
        Got got = version == null ? null : get(name, most, allocator);
        return got == null ? new BlobChange.BlobGone() : new BlobChange.Changed(got);
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        Arguments.requireContent(content);
        try (LentContent lent = new LentContent(content)) {
            return run("blob " + name, null, () -> disk.putIfAbsent(name, new FileContent.CopiedContent(lent)));
        }
    }

    /** Writes past the page cache, where the file system can do that: it takes less of the processor, and no memory. */
    @Override
    public PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        Arguments.requireContent(content.bytes());
        return run("blob " + name, content, () -> disk.putIfAbsent(name, new FileContent.Pages(content)));
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        Arguments.requireContent(content);
        try (LentContent lent = new LentContent(content)) {
            return run("blob " + name, null, () -> disk.putIfMatch(name, new FileContent.CopiedContent(lent), etag));
        }
    }

    @Override
    public boolean exists(String name) throws StorageException {
        FileVersion version = version(name);
        return version != null && !WrongSizeBlob.is(version.size());
    }

    @Override
    public boolean isDurable(String name) throws StorageException {
        return run("blob " + name, null, () -> disk.isDurable(name));
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return run("blob " + name, null, () -> disk.deleteIfMatch(name, etag));
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        return run("listing of \"" + prefix + "\"", null, () -> disk.list(prefix, after, limit));
    }

    /** Closes nothing: threads end when idle. */
    @Override
    public void close() {}
}
