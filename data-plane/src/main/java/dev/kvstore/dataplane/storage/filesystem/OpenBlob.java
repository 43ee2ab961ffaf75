package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.Misfit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A blob's file, open and of a known version. */
record OpenBlob(FileChannel channel, FileVersion version) implements AutoCloseable {
    /**
     * Opens a blob's file.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    static OpenBlob open(Path file) throws IOException {
        while (true) {
            FileVersion version = FileVersion.of(file);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            boolean same = false;
            try {
                // The file that was opened is the one that was seen, if that one is there still.
                same = FileVersion.of(file).equals(version);
                if (same) {
                    return new OpenBlob(channel, version);
                }
            } finally {
                if (!same) {
                    channel.close();
                }
            }
        }
    }

    /** Bytes of the blob. */
    long length() {
        return version.size();
    }

    Misfit misfit() {
        return new Misfit(version.etag(), length());
    }

    /** That many bytes from an offset on, all of which the blob has; the caller gives their memory back. */
    Blob read(long offset, int length, Allocator allocator) throws IOException, MemoryExhaustedException {
        BlockMemory memory = allocator.allocate(length);
        boolean complete = false;
        try {
            ByteBuffer bytes = memory.bytes();
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new EOFException("ends after " + (offset + bytes.position()) + " bytes");
                }
            }
            complete = true;
            return new Blob(memory, version.etag(), length());
        } finally {
            if (!complete) {
                memory.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
