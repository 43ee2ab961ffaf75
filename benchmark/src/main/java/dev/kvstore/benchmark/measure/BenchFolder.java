package dev.kvstore.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder that goes when it is closed, with all that is in it. */
public record BenchFolder(Path path) implements AutoCloseable {
    /** Memory, where Linux offers it as a folder. */
    private static final Path MEMORY = Path.of("/dev/shm");

    /** A folder in memory, if there is one with so much room, so that no disk is measured; else the one on a disk. */
    public static Path inMemory(long bytes, Path onDisk) throws IOException {
        boolean room = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= bytes;
        return room ? MEMORY : onDisk;
    }

    /** The kind of folder that {@link #inMemory} has found, for people. */
    public static String place(Path folder) {
        return folder.equals(MEMORY) ? "memory (" + MEMORY + ")" : "a folder on disk, synced";
    }

    public static BenchFolder in(Path parent, String prefix) throws IOException {
        return new BenchFolder(Files.createTempDirectory(parent, prefix));
    }

    /**
     * In a place that this process shares with others and that outlives it, such as memory that is a folder. Its name
     * says whose it is: what a process left there that was killed, the next one takes away.
     *
     * @param prefix of this kind of folder alone
     */
    public static BenchFolder ofThisProcess(Path parent, String prefix) throws IOException {
        Pattern owned = Pattern.compile(Pattern.quote(prefix) + "([0-9]{1,10})-.*");
        List<Path> left;
        try (Stream<Path> entries = Files.list(parent)) {
            left = entries.filter(entry -> isLeft(entry, owned)).toList();
        }
        for (Path folder : left) {
            try {
                delete(folder);
            } catch (IOException | UncheckedIOException e) {
                // Another process takes it away, too; or the next one will.
            }
        }
        return in(parent, prefix + ProcessHandle.current().pid() + "-");
    }

    private static boolean isLeft(Path entry, Pattern owned) {
        Matcher name = owned.matcher(String.valueOf(entry.getFileName()));
        return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty() && Files.isWritable(entry);
    }

    /** Deletes one of its folders, with all that is in it; does nothing if it does not exist. */
    public void delete(String name) throws IOException {
        delete(path.resolve(name));
    }

    /**
     * Moves one of its folders to a place that stays, replacing a file or folder there; does nothing if the folder does
     * not exist.
     */
    public void rescue(String name, Path to) throws IOException {
        Path from = path.resolve(name);
        if (Files.isDirectory(from)) {
            delete(to);
            Files.move(from, to);
        }
    }

    /**
     * Keeps its logs in a place that stays, instead of those of an earlier run.
     *
     * @param progress is told where
     */
    public void rescueLogs(Path to, Consumer<String> progress) throws IOException {
        rescue("logs", to);
        progress.accept("the processes' logs are kept in " + to);
    }

    @Override
    public void close() throws IOException {
        delete(path);
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : deepestFirst) {
            Files.deleteIfExists(entry);
        }
    }
}
