package dev.kvstore.benchmark.kvcache.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of one file in BurstGPT's form. For one thread. */
final class BurstLines implements AutoCloseable {
    private static final int MOST_CHARACTERS = 4_096;
    private static final double MOST_TOKENS = 10_000_000;
    private static final String TIMESTAMP = "Timestamp";
    private static final String CONTEXT = "Request tokens";
    private static final String ANSWER = "Response tokens";

    private final Path file;
    private final BufferedReader reader;
    private final List<String> header;
    private long number;

    /** @param timestamp in seconds */
    record Line(double timestamp, long contextTokens, long answerTokens) {}

    /** @throws IllegalArgumentException if its header is none; the message begins with the file */
    BurstLines(Path file) throws IOException {
        this.file = file;
        this.reader = Files.newBufferedReader(file);
        String first = line();
        this.header = first == null ? List.of() : fields(first);
        for (String column : List.of(TIMESTAMP, CONTEXT, ANSWER)) {
            if (!header.contains(column)) {
                reader.close();
                throw wrong("has no column '" + column + "'");
            }
        }
    }

    /**
     * The next request; null after the last one.
     *
     * @throws IllegalArgumentException for a line that is none; the message begins with file and line
     */
    @Nullable
    Line next() throws IOException {
        String text = line();
        while (text != null && text.isBlank()) {
            text = line();
        }
        if (text == null) {
            return null;
        }
        List<String> fields = fields(text);
        if (fields.size() != header.size()) {
            throw wrong("has " + fields.size() + " fields, the header has " + header.size());
        }
        String tokens = "0 to 10000000";
        return new Line(
                field(fields, TIMESTAMP, Long.MAX_VALUE, "seconds, 0 or more"),
                (long) field(fields, CONTEXT, MOST_TOKENS, tokens),
                (long) field(fields, ANSWER, MOST_TOKENS, tokens));
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

    private @Nullable String line() throws IOException {
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
        return new IllegalArgumentException(BurstTrace.FLAG + file + ", line " + number + ": " + what);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
