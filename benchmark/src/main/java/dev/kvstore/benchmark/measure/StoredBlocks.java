package dev.kvstore.benchmark.measure;

import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The blocks of one partition in a folder that data planes use as their storage. */
public final class StoredBlocks {
    private static final int TRIES = 5;
    private static final String PARTITIONS = "blobs/kv/v1";

    private StoredBlocks() {}

    /**
     * Deletes them. A data plane's other files of the partition stay; files that it writes meanwhile may take a second
     * try.
     *
     * @param storage the folder
     * @throws IOException if no data plane ever wrote there, or a file cannot be deleted
     */
    public static void delete(Path storage, Partition partition) throws IOException {
        Path blocks = blocks(storage, partition);
        if (Files.notExists(blocks)) {
            return;
        }
        BenchFolder folder = new BenchFolder(blocks);
        for (int attempt = 1; ; attempt++) {
            try {
                for (String name : folders(blocks)) {
                    folder.delete(name);
                }
                return;
            } catch (IOException | UncheckedIOException e) {
                if (attempt == TRIES || !Files.isDirectory(blocks)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Takes the room of one from it, and leaves its file: ext4 looks at each file that was deleted in the last minutes
     * before it makes a new one in its place, and a store that grows has none of these.
     */
    public static void empty(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    /**
     * Makes a partition have no blocks: empties them and moves them to a folder on the same file system, for who made
     * that to delete when nothing is measured any more. Nobody may write meanwhile.
     *
     * @param storage the folder that data planes use as their storage
     * @throws IOException if no data plane ever wrote there, or a file cannot be emptied
     */
    public static void putAside(Path storage, Partition partition, Path aside) throws IOException {
        Path blocks = blocks(storage, partition);
        if (Files.notExists(blocks)) {
            return;
        }
        Path target = Files.createTempDirectory(Files.createDirectories(aside), "blocks-");
        for (String folder : folders(blocks)) {
            try (Stream<Path> files = Files.list(blocks.resolve(folder))) {
                for (Path file : files.toList()) {
                    empty(file);
                }
            }
            Files.move(blocks.resolve(folder), target.resolve(folder));
        }
    }

    /**
     * How long the file of a block of the partition is, whichever comes first.
     *
     * @throws IOException if there is none
     */
    public static long fileBytes(Path storage, Partition partition) throws IOException {
        Path blocks = blocks(storage, partition);
        for (String folder : folders(blocks)) {
            try (Stream<Path> files = Files.list(blocks.resolve(folder))) {
                Path file = files.findFirst().orElse(null);
                if (file != null) {
                    return Files.size(file);
                }
            }
        }
        throw new IOException(blocks + ": has no blocks");
    }

    /**
     * The folder of a partition, which exists only if something was written to it.
     *
     * @throws IOException if no data plane ever wrote to the storage
     */
    private static Path blocks(Path storage, Partition partition) throws IOException {
        Path partitions = storage.resolve(PARTITIONS).toAbsolutePath();
        if (!Files.isDirectory(partitions)) {
            throw new NotDirectoryException(partitions.toString());
        }
        return partitions.resolve(partition.root().hex());
    }

    /** The folders that are named by the first two digits of the hashes in them. */
    private static List<String> folders(Path partition) throws IOException {
        try (Stream<Path> entries = Files.list(partition)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> name.length() == 2)
                    .toList();
        }
    }
}
