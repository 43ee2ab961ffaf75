package dev.kvstore.benchmark.kvcache;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Figures and digests that the original, or Python itself, gave for the same input; their files say a case a line. */
public final class RecordedFigures {
    private static final int DIGITS = 16;

    private RecordedFigures() {}

    /** The lines of a file, in words. */
    public static List<List<String>> words(String file) {
        try (InputStream in = Objects.requireNonNull(RecordedFigures.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> List.of(line.split(" ", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first digits of the SHA-256. */
    public static String digest(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The digest of a text in UTF-8. */
    public static String digest(String text) {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All bits of a number. */
    public static String hex(double number) {
        return HexFormat.of()
                .formatHex(ByteBuffer.allocate(Double.BYTES).putDouble(number).array());
    }
}
