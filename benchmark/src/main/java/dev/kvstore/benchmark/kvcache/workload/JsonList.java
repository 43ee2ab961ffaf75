package dev.kvstore.benchmark.kvcache.workload;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.kvstore.benchmark.trace.UserFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A file with a JSON list, read entry by entry; fields that an entry's record does not have do not matter. Stateless. */
public final class JsonList {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private JsonList() {}

    /**
     * Reads a file.
     *
     * @param flag that names the file
     * @param most entries that are read; the rest of the file is not looked at
     * @param form of an entry, for people
     * @throws IllegalArgumentException if the file is wrong; the message names flag, file and line
     */
    public static <T> void read(String flag, Path file, int most, Class<T> type, String form, Consumer<T> entries) {
        String subject = flag + ": " + file;
        try (JsonParser parser = JSON.createParser(UserFile.open(file))) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IllegalArgumentException("line 1: must be a list of " + form);
            }
            for (int read = 0; read < most && parser.nextToken() != JsonToken.END_ARRAY; read++) {
                entries.accept(JSON.readValue(parser, type));
            }
        } catch (JsonMappingException e) {
            String path = e.getPath().stream()
                    .map(JsonMappingException.Reference::getFieldName)
                    .filter(field -> field != null)
                    .collect(Collectors.joining("."));
            throw new IllegalArgumentException(
                    subject + line(":", e) + ": " + (path.isEmpty() ? "an entry" : path) + " is not as in " + form, e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(subject + line(",", e) + ": is no JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(subject + ": cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(subject + ": " + e.getMessage(), e);
        }
    }

    /** Where a file is wrong, if that is known: a list that is too long has no place. */
    private static String line(String before, JsonProcessingException failure) {
        JsonLocation place = failure.getLocation();
        return place == null ? "" : before + " line " + place.getLineNr();
    }
}
