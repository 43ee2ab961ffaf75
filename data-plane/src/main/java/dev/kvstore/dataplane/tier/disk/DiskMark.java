package dev.kvstore.dataplane.tier.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

/**
 * Tells whether a disk has missed anything since its tier used it last. A disk that is away misses the names of blocks
 * that are forgotten, and would bring their old bytes back. So each opening writes a new mark twice, on the disk and
 * beside the disk's folder, which is on another disk; a disk that cannot be used, or that does not take names, has its
 * second mark changed, until it has taken them. A disk whose marks differ has missed something; an empty mount point
 * has no mark. The only disk of a tier, mounted at the tier's own folder, has no place for a second mark, and is
 * believed. For one thread at a time.
 */
final class DiskMark {
    private static final int BYTES = 36;
    private static final String SUFFIX = ".mark";

    private final Path folder;
    private final boolean alone;

    /** Whether this process has opened the disk: if it must open it again, writes may have been lost meanwhile. */
    private boolean renewed;

    /** The second mark as it was before this process changed it; empty until then. */
    private String before = "";

    DiskMark(Path folder, boolean alone) {
        this.folder = folder;
        this.alone = alone;
    }

    private static Path beside(Path folder) {
        return folder.resolveSibling(folder.getFileName() + SUFFIX);
    }

    /** The folder of the disk of which a file is the second mark. */
    static Path folder(Path mark) {
        String name = mark.getFileName().toString();
        return mark.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
    }

    /** Whether the folder is that of a tier without folders of disks. */
    boolean isAlone() {
        return alone;
    }

    /** Whether the disk has missed nothing. */
    boolean isCurrent() throws IOException {
        if (alone || renewed) {
            return !renewed;
        }
        String mark = before.isEmpty() ? read(beside(folder)) : before;
        return !mark.isEmpty() && mark.equals(read(folder.resolve("mark")));
    }

    /** The disk is used from now on. It must be empty if it is not {@link #isCurrent}. */
    void renew() throws IOException {
        renewed = true;
        before = "";
        if (!alone) {
            String mark = UUID.randomUUID().toString();
            write(folder.resolve("mark"), mark);
            write(beside(folder), mark);
        }
    }

    /** The disk misses names from now on. */
    void withdraw() throws IOException {
        if (!alone && before.isEmpty()) {
            String mark = read(beside(folder));
            withdraw(folder);
            before = mark;
        }
    }

    /** The disk has all names again that it missed since it was {@link #renew renewed}. */
    void restore() throws IOException {
        if (!before.isEmpty()) {
            write(beside(folder), before);
            before = "";
        }
    }

    /** A disk that is not used misses names from now on. */
    static void withdraw(Path folder) throws IOException {
        write(beside(folder), UUID.randomUUID().toString());
    }

    private static String read(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return new String(bytes.readNBytes(BYTES), US_ASCII);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** Writes over the file in its place, so that it is durable without its folder. */
    private static void write(Path file, String mark) throws IOException {
        try (FileChannel channel =
                PrivateFiles.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))) {
            channel.write(ByteBuffer.wrap(mark.getBytes(US_ASCII)), 0);
            channel.force(true);
        }
    }
}
