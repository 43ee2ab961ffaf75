package dev.kvstore.benchmark.trace;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** A text that a user names, in whatever form it lies on the disk. Stateless. */
public final class UserFile {
    /** The first bytes of a gzip file (RFC 1952, 2.3.1). */
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /** The first line of a pointer to a file (git-lfs, docs/spec.md). */
    private static final byte[] LFS_POINTER =
            "version https://git-lfs.github.com/spec/".getBytes(StandardCharsets.US_ASCII);

    private UserFile() {}

    /**
     * The text's bytes: those of a gzip file are unpacked, and a byte-order mark is left out. An interrupt does not end
     * reading.
     *
     * @throws IllegalArgumentException if the file is the pointer that Git LFS leaves in place of the text
     * @throws FileSystemException if the file cannot be read; it names the file
     */
    public static InputStream open(Path file) throws IOException {
        InputStream in = new FileInputStream(file.toFile());
        try {
            PushbackInputStream text = new PushbackInputStream(in, LFS_POINTER.length);
            if (starts(text, GZIP)) {
                text = new PushbackInputStream(new BufferedInputStream(new GZIPInputStream(text)), LFS_POINTER.length);
            }
            if (starts(text, BYTE_ORDER_MARK)) {
                text.skipNBytes(BYTE_ORDER_MARK.length);
            }
            if (starts(text, LFS_POINTER)) {
                throw new IllegalArgumentException(
                        file + " is a pointer of Git LFS, not the text: get the text by git lfs pull");
            }
            return text;
        } catch (IOException e) {
            in.close();
            FileSystemException unreadable = new FileSystemException(file.toString(), null, e.getMessage());
            unreadable.initCause(e);
            throw unreadable;
        } catch (RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private static boolean starts(PushbackInputStream in, byte[] start) throws IOException {
        byte[] read = in.readNBytes(start.length);
        in.unread(read);
        return Arrays.equals(read, start);
    }
}
