package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Change;
import dev.kvstore.dataplane.storage.Page;
import dev.kvstore.dataplane.storage.Put;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Blobs as files. A blob is written to a temporary file, made durable there, and then appears under its name in one
 * step: by a hard link, which never overwrites, or by a rename under a lock. So a crash at any moment leaves each name
 * as it was or complete. Any number of stores, in any number of processes, may share a directory of a local disk; it
 * must be on one file system that has hard links. Thread-safe.
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
    public @Nullable Blob get(String name, Allocator allocator) throws StorageException, MemoryExhaustedException {
        return read(name, 0, Long.MAX_VALUE, allocator);
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        if (offset < 0 || length < 1) {
            throw new IllegalArgumentException("no range of " + length + " bytes at " + offset);
        }
        return read(name, offset, length, allocator);
    }

    @Override
    public Change getIfChanged(String name, String etag, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Path file = tree.file(name);
        try {
            if (FileVersion.of(file).etag().equals(etag)) {
                return new Change.Unchanged();
            }
        } catch (NoSuchFileException e) {
            return new Change.Absent();
        } catch (IOException e) {
            throw Failures.of(name, e);
        }
        Blob blob = get(name, allocator);
        return blob == null ? new Change.Absent() : new Change.Changed(blob);
    }

    @Override
    public Put putIfAbsent(String name, ByteBuffer content) throws StorageException {
        requireContent(content);
        Path file = tree.file(name);
        try {
            if (Files.exists(file)) {
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
            throw Failures.ofWriting(name, content.remaining(), tree.root(), e);
        }
    }

    @Override
    public Put putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        requireContent(content);
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
            throw Failures.ofWriting(name, content.remaining(), tree.root(), e);
        }
    }

    @Override
    public boolean exists(String name) throws StorageException {
        try {
            Files.readAttributes(tree.file(name), "size");
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw Failures.of(name, e);
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
            throw Failures.of(name, e);
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
        try {
            return FileVersion.of(file).etag().equals(etag);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private @Nullable Blob read(String name, long offset, long most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Path file = tree.file(name);
        try {
            while (true) {
                FileVersion version = FileVersion.of(file);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    // The file that was opened is the one that was seen, if that one is there still.
                    if (!FileVersion.of(file).equals(version)) {
                        continue;
                    }
                    long length = Math.min(most, version.size() - offset);
                    if (length <= 0 && offset > 0) {
                        return null;
                    }
                    return new Blob(read(channel, name, offset, length, allocator), version.etag());
                }
            }
        } catch (NoSuchFileException e) {
            return null;
        } catch (StorageException e) {
            throw e;
        } catch (IOException e) {
            throw Failures.of(name, e);
        }
    }

    private static BlockMemory read(FileChannel channel, String name, long offset, long length, Allocator allocator)
            throws IOException, MemoryExhaustedException {
        if (length < 1 || length > Integer.MAX_VALUE) {
            throw new StorageException(Kind.UNAVAILABLE, "blob " + name + " has " + length + " bytes", null);
        }
        BlockMemory memory = allocator.allocate((int) length);
        boolean complete = false;
        try {
            ByteBuffer bytes = memory.bytes();
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new EOFException("ends after " + (offset + bytes.position()) + " bytes");
                }
            }
            complete = true;
            return memory;
        } finally {
            if (!complete) {
                memory.release();
            }
        }
    }

    private static void requireContent(ByteBuffer content) {
        if (!content.hasRemaining()) {
            throw new IllegalArgumentException("a blob has 1 byte or more");
        }
    }
}
