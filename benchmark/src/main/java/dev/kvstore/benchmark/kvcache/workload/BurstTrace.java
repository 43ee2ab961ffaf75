package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.trace.UserFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files in BurstGPT's form: a header, then a request a line. Read line by line, never held as a whole. */
public record BurstTrace(List<Path> files) {
    private static final String FLAG = "--burst-trace-path: ";
    private static final int MOST_CHARACTERS = 4_096;
    private static final double MOST_TOKENS = 10_000_000;
    private static final String TIMESTAMP = "Timestamp";
    private static final String CONTEXT = "Request tokens";
    private static final String ANSWER = "Response tokens";

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
        List<Path> files = new ArrayList<>();
        if (parent != null && name != null && Files.isDirectory(parent)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, folder ? "*.csv" : name.toString())) {
                found.forEach(files::add);
            }
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
        try (Rows rows = new Rows(files)) {
            if (rows.next() == null) {
                throw new IllegalArgumentException(FLAG + files.getFirst() + ": has no requests");
            }
            while (rows.next() != null) {
                // Only looked at.
            }
        }
    }

    /**
     * A request.
     *
     * @param seconds from the last request to it, 0 or more
     */
    record BurstRow(double seconds, long contextTokens, long answerTokens) {}

    /** The requests in their order. For one thread. */
    static final class Rows implements AutoCloseable {
        private final List<Path> files;
        private int opened;
        private @Nullable BufferedReader reader;
        private List<String> header = List.of();
        private long number;
        private double before = Double.NaN;

        Rows(List<Path> files) {
            this.files = files;
        }

        /**
         * Null after the last one.
         *
         * @throws IllegalArgumentException for a line that is none; the message begins with file and line
         */
        @Nullable
        BurstRow next() {
            try {
                for (String line = line(); line != null || opened < files.size(); line = line()) {
                    if (line == null) {
                        open();
                    } else if (!line.isBlank()) {
                        return row(fields(line));
                    }
                }
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(FLAG + files.get(opened - 1) + ": cannot be read", e);
            }
        }

        private void open() throws IOException {
            close();
            number = 0;
            reader = new BufferedReader(
                    new InputStreamReader(UserFile.open(files.get(opened++)), StandardCharsets.UTF_8));
            String first = line();
            header = first == null ? List.of() : fields(first);
            for (String column : List.of(TIMESTAMP, CONTEXT, ANSWER)) {
                if (!header.contains(column)) {
                    throw wrong("has no column '" + column + "'");
                }
            }
        }

        private BurstRow row(List<String> fields) {
            if (fields.size() != header.size()) {
                throw wrong("has " + fields.size() + " fields, the header has " + header.size());
            }
            double timestamp = field(fields, TIMESTAMP, Long.MAX_VALUE, "seconds, 0 or more");
            double seconds = Double.isNaN(before) ? 0 : Math.max(0, timestamp - before);
            before = timestamp;
            String tokens = "0 to 10000000";
            return new BurstRow(seconds, (long) field(fields, CONTEXT, MOST_TOKENS, tokens), (long)
                    field(fields, ANSWER, MOST_TOKENS, tokens));
        }

        private double field(List<String> fields, String column, double most, String range) {
            String text = fields.get(header.indexOf(column));
            try {
                double value = Double.parseDouble(text);
                if (value >= 0 && value <= most && (column.equals(TIMESTAMP) || value == Math.rint(value))) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Told of below, as any other text that is no such number.
            }
            throw wrong(column + " must be " + range + ", not '" + text + "'");
        }

        private static List<String> fields(String line) {
            return Arrays.stream(line.split(",", -1))
                    .map(field -> field.strip().replaceFirst("^\"(.*)\"$", "$1"))
                    .toList();
        }

        /** The next line of the file that is open; null behind its last one. */
        private @Nullable String line() throws IOException {
            if (reader == null) {
                return null;
            }
            number++;
            StringBuilder line = new StringBuilder();
            for (int read = reader.read(); read != '\n'; read = reader.read()) {
                if (read < 0) {
                    return line.isEmpty() ? null : line.toString();
                }
                if (line.length() == MOST_CHARACTERS) {
                    throw wrong("has more than " + MOST_CHARACTERS + " characters");
                }
                line.append((char) read);
            }
            return line.toString();
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException(FLAG + files.get(opened - 1) + ", line " + number + ": " + what);
        }

        @Override
        public void close() {
            try {
                if (reader != null) {
                    reader.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
