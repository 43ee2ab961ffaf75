package dev.kvstore.accounts.account;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Paths of folders in URLs. Stateless. */
final class Paths {
    /** The characters that a path may have without an escape, by RFC 3986. */
    private static final String PLAIN = "/-._~!$&'()*+,;=:@";

    private Paths() {}

    /** Encodes a path for a URL: each byte of UTF-8 that is no plain character becomes {@code %} and two digits. */
    static String encoded(String path) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : path.getBytes(UTF_8)) {
            boolean plain =
                    (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || PLAIN.indexOf(b) >= 0;
            encoded.append(plain ? Character.toString(b) : "%%%02X".formatted(b));
        }
        return encoded.toString();
    }
}
