package dev.kvstore.benchmark.kvcache.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with a JSON list, read as a stream. Stateless. */
final class JsonList {
    private JsonList() {}

    /** Reads the entries. */
    @FunctionalInterface
    interface Entries<T> {
        /**
         * Reads as many entries as it needs.
         *
         * @param parser behind the beginning of the list
         * @throws IllegalArgumentException if an entry is wrong
         */
        T read(JsonParser parser) throws IOException;
    }

    /**
     * Reads a file.
     *
     * @param flag that names the file
     * @param kind of the entries, in the plural
     * @throws IllegalArgumentException if the file is wrong; the message names flag, file and line
     */
    static <T> T read(String flag, Path file, String kind, Entries<T> entries) {
        String subject = flag + ": " + file;
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = new JsonFactory().createParser(in)) {
            require(parser, parser.nextToken() == JsonToken.START_ARRAY, "must be a list of " + kind);
            return entries.read(parser);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    subject + ", line " + e.getLocation().getLineNr() + ": is no JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(subject + ": cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(subject + ": " + e.getMessage(), e);
        }
    }

    /** @throws IllegalArgumentException with the parser's line if something does not hold */
    static void require(JsonParser parser, boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "line " + parser.currentLocation().getLineNr() + ": " + sentence);
        }
    }
}
