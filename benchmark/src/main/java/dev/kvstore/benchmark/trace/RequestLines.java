package dev.kvstore.benchmark.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests line by line; of a line only its numbers are made objects of. Empty lines are passed over. For one
 * thread.
 */
final class RequestLines implements Requests {
    private static final JsonFactory JSON = new JsonFactory();

    /** Characters of a value that a message repeats. */
    private static final int SHOWN = 40;

    private final Path file;
    private final LineReader lines;
    private final boolean skipBroken;
    private long latest;
    private long skipped;

    /**
     * @param file for messages
     * @param in the lines' source, closed with this
     * @param skipBroken whether lines that are no requests are left out, rather than an error
     */
    RequestLines(Path file, InputStream in, boolean skipBroken) {
        this.file = file;
        this.skipBroken = skipBroken;
        this.lines = new LineReader(in);
    }

    @Override
    public @Nullable TraceRequest next() throws IOException {
        while (true) {
            try {
                return read();
            } catch (BrokenLineException e) {
                if (!skipBroken) {
                    throw e;
                }
                skipped++;
            }
        }
    }

    private @Nullable TraceRequest read() throws IOException {
        do {
            if (!hasNextLine()) {
                return null;
            }
        } while (lines.isBlank());
        if (lines.isTooLong()) {
            throw broken("is longer than " + LineReader.MOST_BYTES + " bytes: each request needs a line of its own");
        }
        TraceRequest request = request();
        if (request.timestampMillis() < latest) {
            throw broken("is earlier (timestamp " + request.timestampMillis() + ") than one before it (" + latest
                    + "): sort the file by timestamp");
        }
        latest = request.timestampMillis();
        return request;
    }

    private boolean hasNextLine() throws IOException {
        try {
            return lines.next();
        } catch (IOException e) {
            IOException named = new FileSystemException(file.toString(), null, e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    private TraceRequest request() throws IOException {
        try (JsonParser json = JSON.createParser(lines.bytes(), 0, lines.length())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw broken("is no JSON object");
            }
            TraceRequest request = fields(json);
            if (json.nextToken() != null) {
                throw broken("goes on behind its JSON object: each request needs a line of its own");
            }
            return request;
        } catch (JsonEOFException e) {
            throw broken("is no JSON: it ends in the middle");
        } catch (JsonProcessingException e) {
            throw broken("is no JSON: " + e.getOriginalMessage());
        } catch (CharConversionException e) {
            throw broken("is no text");
        }
    }

    private TraceRequest fields(JsonParser json) throws IOException {
        long timestamp = -1;
        long input = -1;
        long output = -1;
        long @Nullable [] ids = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "timestamp" -> timestamp = number(json, field, Long.MAX_VALUE);
                case "input_length" -> input = number(json, field, Integer.MAX_VALUE);
                case "output_length" -> output = number(json, field, Integer.MAX_VALUE);
                case "hash_ids" -> ids = ids(json);
                default -> json.skipChildren();
            }
        }
        require("timestamp", timestamp >= 0);
        require("input_length", input >= 0);
        require("output_length", output >= 0);
        if (ids == null) {
            throw broken("has no \"hash_ids\"");
        }
        return new TraceRequest(timestamp, (int) input, (int) output, ids);
    }

    private void require(String field, boolean there) {
        if (!there) {
            throw broken("has no \"" + field + "\"");
        }
    }

    private long number(JsonParser json, String field, long most) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw broken("has a \"" + field + "\" that is no whole number: " + shortened(json));
        }
        long number = json.getLongValue();
        if (number < 0 || number > most) {
            throw broken("has a \"" + field + "\" that is not 0 to " + most + ": " + number);
        }
        return number;
    }

    private long[] ids(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw broken("has \"hash_ids\" that are no list");
        }
        long[] ids = new long[32];
        int count = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
                throw broken("has a \"hash_ids\" whose element " + count + " is no whole number: " + shortened(json));
            }
            ids = count == ids.length ? Arrays.copyOf(ids, 2 * count) : ids;
            ids[count++] = json.getLongValue();
        }
        return Arrays.copyOf(ids, count);
    }

    private static String shortened(JsonParser json) throws IOException {
        String text = String.valueOf(json.getText());
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + " ...";
    }

    private BrokenLineException broken(String flaw) {
        return new BrokenLineException(file, lines.number(), flaw);
    }

    @Override
    public long skipped() {
        return skipped;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
