package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Arguments;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Change;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.Misfit;
import dev.kvstore.dataplane.storage.Page;
import dev.kvstore.dataplane.storage.Put;
import dev.kvstore.dataplane.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Blobs as files. A blob is written to a temporary file, made durable there, and then appears under its name in one
 * step: by a hard link, which never overwrites, or by a rename under a lock. So a crash at any moment leaves each name
 * as it was or complete. Any number of stores, in any number of processes, may share a directory of a local disk; it
 * must be on one file system that has hard links. Whatever is under a blob's name and not a regular file (a pipe, a
 * device, a folder, a symbolic link) is a {@link StorageException} and stays: an admin must remove it. Thread-safe.
 */
public final class FilesystemStore implements BlockStore {
    private final BlobTree tree;
    private final TemporaryFiles temporary;
    private final NameLocks locks;

    private FilesystemStore(BlobTree tree, TemporaryFiles temporary, NameLocks locks) {
        this.tree = tree;
        this.temporary = temporary;
        this.locks = locks;
    }

    /**
     * The store of a directory, which is created if missing; removes what killed processes left half-written there.
     *
     * @param clock gives blobs their times, and half-written files their age
     */
    public static FilesystemStore open(Path directory, InstantSource clock) throws StorageException {
        try {
            Path root = Files.createDirectories(directory).toRealPath();
            TemporaryFiles temporary = new TemporaryFiles(Files.createDirectories(root.resolve("temporary")), clock);
            temporary.removeStale();
            NameLocks locks = new NameLocks(Files.createDirectories(root.resolve("locks")));
            return new FilesystemStore(BlobTree.open(root.resolve("blobs")), temporary, locks);
        } catch (IOException e) {
            throw Failures.of("directory " + directory, e);
        }
    }

    @Override
    public @Nullable Got get(String name, Allocator allocator) throws StorageException, MemoryExhaustedException {
        try (OpenBlob blob = open(name)) {
            if (blob == null) {
                return null;
            }
            return Misfit.is(blob.length()) ? blob.misfit() : blob.read(0, (int) blob.length(), allocator);
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Arguments.requireRange(offset, length);
        try (OpenBlob blob = open(name)) {
            if (blob == null || blob.length() <= offset) {
                return null;
            }
            return blob.read(offset, (int) Math.min(length, blob.length() - offset), allocator);
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    @Override
    public Change getIfChanged(String name, String etag, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Path file = tree.file(name);
        try {
            if (isStill(file, etag)) {
                return new Change.Unchanged();
            }
        } catch (IOException e) {
            throw Failures.of("blob " + name, e);
        }
        Got got = get(name, allocator);
        return got == null ? new Change.Absent() : new Change.Changed(got);
    }

    @Override
    public Put putIfAbsent(String name, ByteBuffer content) throws StorageException {
        Arguments.requireContent(content);
        Path file = tree.file(name);
        try {
            if (FileVersion.find(file) != null) {
                // Who put it may not have come to this yet, and our caller takes it for durable.
                tree.makeDurable(file);
                return new Put.Refused();
            }
            try (TemporaryFiles.Written written = temporary.write(content)) {
                String etag = written.etag();
                tree.createFolders(file);
                boolean linked = written.linkTo(file);
                tree.makeDurable(file);
                return linked ? new Put.Stored(etag) : new Put.Refused();
            }
        } catch (IOException e) {
            throw Failures.ofWriting("blob " + name, content.remaining(), tree.root(), e);
        }
    }

    @Override
    public Put putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        Arguments.requireContent(content);
        Path file = tree.file(name);
        try {
            if (!isStill(file, etag)) {
                return new Put.Refused();
            }
            try (TemporaryFiles.Written written = temporary.write(content);
                    NameLocks.Held _ = locks.lock(name)) {
                if (!isStill(file, etag)) {
                    return new Put.Refused();
                }
                String next = written.etag();
                written.moveTo(file);
                tree.makeDurable(file);
                return new Put.Stored(next);
            }
        } catch (IOException e) {
            throw Failures.ofWriting("blob " + name, content.remaining(), tree.root(), e);
        }
    }

    @Override
    public boolean exists(String name) throws StorageException {
        try {
            return FileVersion.find(tree.file(name)) != null;
        } catch (IOException e) {
            throw Failures.of("blob " + name, e);
        }
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        Path file = tree.file(name);
        try (NameLocks.Held _ = locks.lock(name)) {
            if (!isStill(file, etag)) {
                return false;
            }
            Files.delete(file);
            tree.makeDurable(file);
            return true;
        } catch (IOException e) {
            throw Failures.of("blob " + name, e);
        }
    }

    @Override
    public Page list(String prefix, @Nullable String after, int limit) throws StorageException {
        try {
            return new Listing(tree, prefix, after, limit).page();
        } catch (IOException e) {
            throw Failures.of("listing of \"" + prefix + "\"", e);
        }
    }

    @Override
    public void close() {}

    private static boolean isStill(Path file, String etag) throws IOException {
        FileVersion version = FileVersion.find(file);
        return version != null && version.etag().equals(etag);
    }

    private @Nullable OpenBlob open(String name) throws IOException {
        try {
            return OpenBlob.open(tree.file(name));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static StorageException failure(String name, IOException cause) {
        return cause instanceof StorageException e ? e : Failures.of("blob " + name, cause);
    }
}
