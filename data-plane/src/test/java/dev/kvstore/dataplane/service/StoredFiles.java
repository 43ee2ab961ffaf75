package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.wire.WireNames;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** The files behind blocks, handled as a failing disk or another program would. */
final class StoredFiles {
    private StoredFiles() {}

    static void delete(Path directory, ByteString hash) throws IOException {
        Files.delete(file(directory, hash));
    }

    static boolean exists(Path directory, ByteString hash) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.anyMatch(file -> is(file, hash));
        }
    }

    /** Overwrites one byte. */
    static void set(Path directory, ByteString hash, long offset, int value) throws IOException {
        try (FileChannel file = FileChannel.open(file(directory, hash), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {(byte) value}), offset);
        }
    }

    /** Cuts a file off, or makes it longer by zeros that take no room. */
    static void setLength(Path directory, ByteString hash, long length) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(directory, hash).toFile(), "rw")) {
            file.setLength(length);
        }
    }

    private static Path file(Path directory, ByteString hash) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> is(file, hash)).findFirst().orElseThrow();
        }
    }

    private static boolean is(Path file, ByteString hash) {
        return Files.isRegularFile(file)
                && file.getFileName().toString().startsWith(WireNames.hash(hash).hex());
    }
}
