package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/**
 * The disks of a tier that were used last, in the file {@code disks} of its folder. A disk that was away begins empty:
 * blocks on it may have been forgotten meanwhile, and the record of that given up. Stateless.
 */
final class KnownDisks {
    private static final int MOST_BYTES = 1 << 16;

    private KnownDisks() {}

    /** Empties the disks that were not used last, and notes those that are used now. */
    static void settle(Path tier, List<DiskFolder> disks) throws IOException {
        Path file = tier.resolve("disks");
        List<DiskFolder> usable = disks.stream().filter(DiskFolder::isUsable).toList();
        Set<String> known = read(file);
        for (DiskFolder disk : usable) {
            if (!known.contains(disk.name())) {
                disk.regions(_ -> false);
            }
        }
        List<String> now = usable.stream().map(DiskFolder::name).toList();
        if (!known.equals(Set.copyOf(now))) {
            write(file, String.join("\n", now));
        }
    }

    private static Set<String> read(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) > MOST_BYTES) {
            return Set.of();
        }
        return Set.copyOf(Files.readAllLines(file));
    }

    private static void write(Path file, String text) throws IOException {
        Path written = file.resolveSibling("disks.new");
        try (FileChannel channel = PrivateFiles.open(
                written,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
