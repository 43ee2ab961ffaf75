package dev.kvstore.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that goes when it is closed, with all that is in it. */
public record TemporaryFolder(Path path) implements AutoCloseable {
    public static TemporaryFolder in(Path parent, String prefix) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
    }

    /** Deletes one of its folders, with all that is in it; does nothing if it does not exist. */
    public void delete(String name) throws IOException {
        delete(path.resolve(name));
    }

    /** Moves one of its folders to a place that stays, over what may be there; does nothing if it does not exist. */
    public void rescue(String name, Path to) throws IOException {
        Path from = path.resolve(name);
        if (Files.isDirectory(from)) {
            delete(to);
            Files.move(from, to);
        }
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
