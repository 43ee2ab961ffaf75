package dev.kvstore.benchmark.kvcache.workload;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JDK has. */
public final class Digests {
    private Digests() {}

    /** The SHA-256 of a text in UTF-8, in hex. */
    public static String sha256(String text) {
        return HexFormat.of().formatHex(begin().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
