package dev.kvstore.benchmark.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that goes when it is closed, with all that is in it. */
record TemporaryFolder(Path path) implements AutoCloseable {
    static TemporaryFolder in(Path parent) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(parent, "kv-demo-"));
    }

    @Override
    public void close() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : deepestFirst) {
            Files.deleteIfExists(entry);
        }
    }
}
