package dev.kvstore.protocol.wire;

import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/** Puts API keys into the header {@code authorization: Bearer <key>}, and reads them from it. Stateless. */
public final class Credentials {
    public static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private static final String SCHEME = "Bearer ";

    private Credentials() {}

    /**
     * The header's value for a key.
     *
     * @throws IllegalArgumentException if the key is empty or holds anything but visible ASCII
     */
    public static String bearer(String key) {
        if (key.isEmpty() || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException("api key: must be visible ASCII characters without spaces");
        }
        return SCHEME + key;
    }

    /** The key in a call's metadata, or null if there is none (RFC 6750; the scheme's case does not matter). */
    public static @Nullable String key(Metadata metadata) {
        String value = metadata.get(AUTHORIZATION);
        if (value == null || !value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        String key = value.substring(SCHEME.length()).strip();
        return key.isEmpty() ? null : key;
    }
}
