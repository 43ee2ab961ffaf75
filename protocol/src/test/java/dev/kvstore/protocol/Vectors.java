package dev.kvstore.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.kvstore.protocol.block.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The published vectors, which {@code vectors.py} computed without this module's code. Byte strings are hexadecimal.
 */
public final class Vectors {
    /** A prompt, and the names of its whole blocks. */
    public record Chain(
            String title,
            String partition,
            String partitionUtf8,
            int blockTokens,
            String root,
            List<Integer> tokens,
            List<ChainBlock> blocks) {
        public Tokens ids() {
            return Tokens.slice(tokens, 0, tokens.size());
        }

        @Override
        public String toString() {
            return title;
        }
    }

    public record ChainBlock(String extra, String hash, String location) {}

    /** A stored block's header. Checksums are unsigned. */
    public record StoredVector(
            String title,
            String partition,
            String root,
            String parent,
            String hash,
            List<Integer> tokens,
            String extra,
            String keyId,
            int bufferBytes,
            long bufferCrc32c,
            List<Long> segmentCrc32c,
            int headerBytes,
            long headerCrc32c,
            String headerSha256,
            String headerWithoutPadding) {
        public Tokens ids() {
            return Tokens.slice(tokens, 0, tokens.size());
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /** Statements of an extra, and its bytes; or bytes that are no extra. */
    public record ExtraVector(String title, List<ExtraStatement> statements, boolean refused, String bytes) {
        @Override
        public String toString() {
            return title;
        }
    }

    /** A statement; the fields that its kind does not have are 0 or empty. */
    public record ExtraStatement(String kind, int firstToken, int tokens, String label, String value) {}

    private static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .create();

    private Vectors() {}

    public static List<Chain> chains() {
        return read("block-hash-vectors.json", Chain.class);
    }

    public static List<StoredVector> stored() {
        return read("block-format-vectors.json", StoredVector.class);
    }

    public static List<ExtraVector> extras() {
        return read("extra-vectors.json", ExtraVector.class);
    }

    private static <V> List<V> read(String file, Class<V> type) {
        try (InputStream json = Objects.requireNonNull(Vectors.class.getResourceAsStream("/" + file), file)) {
            List<V> vectors = new ArrayList<>();
            GSON.fromJson(new InputStreamReader(json, UTF_8), JsonObject.class)
                    .getAsJsonArray("vectors")
                    .forEach(vector -> vectors.add(GSON.fromJson(vector, type)));
            return vectors;
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
