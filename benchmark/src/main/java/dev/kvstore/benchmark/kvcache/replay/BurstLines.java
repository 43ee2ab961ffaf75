package dev.kvstore.benchmark.kvcache.replay;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of one file in BurstGPT's form. For one thread. */
final class BurstLines {
    private static final int MOST_CHARACTERS = 4_096;
    private static final long MOST_TOKENS = 10_000_000;
    private static final String TIMESTAMP = "Timestamp";
    private static final String CONTEXT = "Request tokens";
    private static final String ANSWER = "Response tokens";

    private final Reader reader;
    private @Nullable List<String> header;
    private long number;

    /** @param timestamp in seconds */
    record Line(double timestamp, long contextTokens, long answerTokens) {}

    /** @param reader buffered */
    BurstLines(Reader reader) {
        this.reader = reader;
    }

    /**
     * The next request; null after the last one.
     *
     * @throws IllegalArgumentException for a line that is none; the message begins with its number
     */
    @Nullable
    Line next() throws IOException {
        if (header == null) {
            String first = line();
            header = first == null ? List.of() : fields(first);
            for (String column : List.of(TIMESTAMP, CONTEXT, ANSWER)) {
                if (!header.contains(column)) {
                    throw wrong("has no column '" + column + "'");
                }
            }
        }
        String text = line();
        while (text != null && text.isBlank()) {
            text = line();
        }
        return text == null ? null : request(fields(text), header);
    }

    private Line request(List<String> fields, List<String> columns) {
        if (fields.size() != columns.size()) {
            throw wrong("has " + fields.size() + " fields, the header has " + columns.size());
        }
        return new Line(
                seconds(fields.get(columns.indexOf(TIMESTAMP))),
                tokens(CONTEXT, fields.get(columns.indexOf(CONTEXT))),
                tokens(ANSWER, fields.get(columns.indexOf(ANSWER))));
    }

    private double seconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds < Long.MAX_VALUE) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // Told of below, as any other text that is no time.
        }
        throw wrong(TIMESTAMP + " must be seconds, 0 or more, not '" + text + "'");
    }

    private long tokens(String column, String text) {
        try {
            long tokens = Long.parseLong(text);
            if (tokens >= 0 && tokens <= MOST_TOKENS) {
                return tokens;
            }
        } catch (NumberFormatException e) {
            // Told of below, as any other text that is no number of tokens.
        }
        throw wrong(column + " must be 0 to " + MOST_TOKENS + ", not '" + text + "'");
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        for (String field : line.split(",", -1)) {
            String text = field.strip();
            boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
            fields.add(quoted ? text.substring(1, text.length() - 1) : text);
        }
        return fields;
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
        return new IllegalArgumentException("line " + number + ": " + what);
    }
}
