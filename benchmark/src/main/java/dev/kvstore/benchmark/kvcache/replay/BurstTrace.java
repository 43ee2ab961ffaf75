package dev.kvstore.benchmark.kvcache.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files in BurstGPT's form: a header, then a request a line. Read line by line, never held as a whole. */
public record BurstTrace(List<Path> files) {
    static final String FLAG = "--burst-trace-path: ";

    public BurstTrace {
        files = List.copyOf(files);
    }

    /**
     * Finds the files: one, all {@code .csv} in a folder, or those that a pattern with {@code *} or {@code ?} names.
     *
     * @throws IllegalArgumentException if there is none; the message names the flag
     */
    public static BurstTrace find(String path) {
        try {
            Path named = Path.of(path);
            List<Path> files = Files.isRegularFile(named) ? List.of(named) : matching(named);
            if (files.isEmpty()) {
                throw new IllegalArgumentException(FLAG + "no CSV file is at " + path);
            }
            return new BurstTrace(files);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(FLAG + path + ": cannot be read", e);
        }
    }

    private static List<Path> matching(Path named) throws IOException {
        boolean folder = Files.isDirectory(named);
        Path parent = folder ? named : named.toAbsolutePath().getParent();
        Path name = named.getFileName();
        if (parent == null || name == null || !Files.isDirectory(parent)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, folder ? "*.csv" : name.toString())) {
            found.forEach(files::add);
        }
        Collections.sort(files);
        return files;
    }

    /**
     * Reads all of it, and keeps nothing.
     *
     * @throws IllegalArgumentException for a line that is no request; the message names flag, file and line
     */
    public void check() {
        try (Rows rows = rows()) {
            boolean empty = rows.next() == null;
            while (rows.next() != null) {
                // Only looked at.
            }
            if (empty) {
                throw new IllegalArgumentException(FLAG + files.getFirst() + ": has no requests");
            }
        }
    }

    /** All requests from the first; the caller closes it. */
    public Rows rows() {
        return new Rows(files);
    }

    /**
     * A request.
     *
     * @param seconds from the last request to it, 0 or more
     */
    public record BurstRow(double seconds, long contextTokens, long answerTokens) {}

    /** The requests in their order. For one thread. */
    public static final class Rows implements AutoCloseable {
        private final List<Path> files;
        private int opened;
        private @Nullable BurstLines lines;
        private double before = Double.NaN;

        private Rows(List<Path> files) {
            this.files = files;
        }

        /** Null after the last one. */
        public @Nullable BurstRow next() {
            try {
                while (true) {
                    BurstLines.Line line = lines == null ? null : lines.next();
                    if (line != null) {
                        double seconds = Double.isNaN(before) ? 0 : Math.max(0, line.timestamp() - before);
                        before = line.timestamp();
                        return new BurstRow(seconds, line.contextTokens(), line.answerTokens());
                    }
                    if (opened == files.size()) {
                        return null;
                    }
                    close();
                    lines = new BurstLines(files.get(opened++));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(FLAG + files.get(opened - 1) + ": cannot be read", e);
            }
        }

        @Override
        public void close() {
            if (lines != null) {
                try {
                    lines.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                lines = null;
            }
        }
    }
}
