package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.BlockMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Access to files past the page cache: whole pages are read and written, to and from memory that begins on one. */
public final class DirectIo {
    /** The JDK's O_DIRECT, found by its name, since javac warns of its use; null where there is none. */
    private static final @Nullable OpenOption OPTION = find();

    private DirectIo() {}

    private static @Nullable OpenOption find() {
        try {
            return (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                    .getField("DIRECT")
                    .get(null);
        } catch (ReflectiveOperationException e) {
            return null; // option() says so to its caller
        }
    }

    /**
     * The JDK's O_DIRECT.
     *
     * @throws UnsupportedOperationException if this JDK has none; the message says so
     */
    public static OpenOption option() {
        if (OPTION == null) {
            throw new UnsupportedOperationException("this JDK has no O_DIRECT");
        }
        return OPTION;
    }

    /** A page of memory that begins where a page does; its capacity is {@link BlockMemory#PAGE_BYTES}. */
    public static ByteBuffer newPage() {
        // An aligned slice of memory that is aligned by chance has two pages.
        return ByteBuffer.allocateDirect(2 * BlockMemory.PAGE_BYTES)
                .alignedSlice(BlockMemory.PAGE_BYTES)
                .slice(0, BlockMemory.PAGE_BYTES);
    }

    /**
     * Writes a page to a file, made if it is missing, and reads it again.
     *
     * @param options further options for opening the file
     * @throws IOException if that cannot be done; {@link UnsupportedOperationException} and
     *     {@link IllegalArgumentException} say the same
     */
    public static void probe(Path file, ByteBuffer page, Set<OpenOption> options) throws IOException {
        Set<OpenOption> all = Stream.concat(
                        options.stream(),
                        Stream.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
                .collect(Collectors.toSet());
        try (FileChannel channel = PrivateFiles.open(file, all)) {
            page.clear();
            if (channel.write(page, 0) != page.limit() || channel.read(page.rewind(), 0) != page.limit()) {
                throw new IOException(file + ": cannot be written and read a page at a time");
            }
        }
    }
}
