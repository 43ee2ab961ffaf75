package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The files of a store. Each call takes as long as the file system does; thread-safe. */
record Disk(BlobTree tree, TemporaryFiles temporary, NameLocks locks, FileOperations operations, PlaceMark mark) {
    /** The files of a directory, opened as {@link FilesystemStore#open} says. */
    static Disk open(Path directory, InstantSource clock) throws StorageException {
        return open(directory, clock, new RealFiles(), NameLocks::of);
    }

    /** Like {@link #open(Path, InstantSource)}, with other file operations and locks. */
    static Disk open(
            Path directory,
            InstantSource clock,
            FileOperations operations,
            BiFunction<Path, FileOperations, NameLocks> locks)
            throws StorageException {
        try {
            operations.createFolders(directory);
            Path root = directory.toRealPath();
            makeDurable(root, operations);
            Path temporary = root.resolve("temporary");
            Path locked = root.resolve("locks");
            operations.createFolders(temporary);
            operations.createFolders(locked);
            TemporaryFiles files = TemporaryFiles.open(temporary, clock, operations);
            files.removeStale();
            return new Disk(
                    BlobTree.open(root.resolve("blobs"), operations),
                    files,
                    locks.apply(locked, operations),
                    operations,
                    PlaceMark.of(root, operations));
        } catch (IOException e) {
            throw FileFailures.of("directory " + directory, e);
        }
    }

    /** Makes a folder's name durable, and those above it, which may be as new: where we could have created them. */
    private static void makeDurable(Path folder, FileOperations operations) throws IOException {
        Path above = folder.getParent();
        while (above != null && Files.isWritable(above)) {
            operations.force(above);
            above = above.getParent();
        }
    }

    /** Does work that counts only if these are the files that were opened, before it and after it. */
    <T extends @Nullable Object> T inPlace(String subject, DiskThreads.DiskWork<T> work) throws StorageException {
        mark.require(subject);
        T result = work.run();
        mark.require(subject);
        return result;
    }

    /** The version of the blob that is stored under a name, or null if there is none. */
    @Nullable
    FileVersion version(String name) throws StorageException {
        try {
            return FileVersion.find(tree.file(name));
        } catch (IOException e) {
            throw FileFailures.of("blob " + name, e);
        }
    }

    /** Fills a buffer from an offset of a blob on; false if that is another version by now. */
    boolean read(String name, FileVersion version, long offset, ByteBuffer bytes) throws StorageException {
        Path file = tree.file(name);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            // The file that was opened is the one that was seen, if that one is there still.
            if (!version.equals(FileVersion.find(file))) {
                return false;
            }
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new EOFException("ends after " + (offset + bytes.position()) + " bytes");
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw FileFailures.of("blob " + name, e);
        }
    }

    /** Whether a blob that can be read is stored durably; makes it durable if its writer has not done so yet. */
    boolean isDurable(String name) throws StorageException {
        Path file = tree.file(name);
        try {
            FileVersion version = FileVersion.find(file);
            if (version == null || WrongSizeBlob.is(version.size())) {
                return false;
            }
            tree.makeDurable(file);
            return true;
        } catch (IOException e) {
            throw FileFailures.of("blob " + name, e);
        }
    }

    PutResult putIfAbsent(String name, FileContent content) throws StorageException {
        Path file = tree.file(name);
        try {
            // To find a new block absent is the rule here, and an exception for each would cost as much as the rest of
            // it.
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && FileVersion.find(file) != null) {
                // The blob's writer may not have come to this yet, and our caller takes the file for durable.
                tree.makeDurable(file);
                return new PutResult.ConditionFailed();
            }
            try (TemporaryFiles.UnnamedFile unnamedFile = temporary.write(content)) {
                String etag = unnamedFile.etag();
                tree.createFolders(file);
                boolean linked = unnamedFile.linkTo(file);
                tree.makeDurable(file);
                return linked ? new PutResult.Stored(etag) : new PutResult.ConditionFailed();
            }
        } catch (IOException e) {
            throw FileFailures.ofWriting("blob " + name, content.length(), tree.root(), e);
        }
    }

    PutResult putIfMatch(String name, FileContent content, String etag) throws StorageException {
        Path file = tree.file(name);
        try {
            if (!isStill(file, etag)) {
                return new PutResult.ConditionFailed();
            }
            try (TemporaryFiles.UnnamedFile unnamedFile = temporary.write(content);
                    NameLocks.HeldLock _ = locks.lock(name)) {
                if (!isStill(file, etag)) {
                    return new PutResult.ConditionFailed();
                }
                String next = unnamedFile.etag();
                unnamedFile.moveTo(file);
                tree.makeDurable(file);
                return new PutResult.Stored(next);
            }
        } catch (IOException e) {
            throw FileFailures.ofWriting("blob " + name, content.length(), tree.root(), e);
        }
    }

    boolean deleteIfMatch(String name, String etag) throws StorageException {
        Path file = tree.file(name);
        try (NameLocks.HeldLock _ = locks.lock(name)) {
            if (!isStill(file, etag)) {
                return false;
            }
            boolean deleted = operations.deleteIfExists(file);
            tree.makeDurable(file);
            return deleted;
        } catch (IOException e) {
            throw FileFailures.of("blob " + name, e);
        }
    }

    BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        try {
            return new TreeWalk(tree, prefix, after, limit).page();
        } catch (IOException e) {
            throw FileFailures.of("listing of \"" + prefix + "\"", e);
        }
    }

    private static boolean isStill(Path file, String etag) throws IOException {
        FileVersion version = FileVersion.find(file);
        return version != null && version.etag().equals(etag);
    }
}
