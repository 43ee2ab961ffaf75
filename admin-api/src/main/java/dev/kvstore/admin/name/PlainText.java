package dev.kvstore.admin.name;

import org.jspecify.annotations.Nullable;

/**
 * The rule for text that callers choose, the same as that of a partition's name in data planes: the text has no control
 * characters, which steer terminals and which PostgreSQL does not all store, and no half of a character, which becomes
 * {@code ?} in UTF-8. Stateless.
 */
public final class PlainText {
    private PlainText() {}

    /** The rule that a text breaks, for an error message; null if it breaks none. */
    public static @Nullable String flaw(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return "must have no control characters: there is U+%04X at position %d".formatted((int) c, i);
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    return "must be valid Unicode: there is half of a surrogate pair, U+%04X, at position %d"
                            .formatted((int) c, i);
                }
                i++;
            }
        }
        return null;
    }

    /** The text with {@code ?} in place of each character that breaks the rule. */
    public static String cleaned(String text) {
        if (flaw(text) == null) {
            return text;
        }
        StringBuilder cleaned = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            cleaned.appendCodePoint(half || Character.isISOControl(c) ? '?' : c);
        });
        return cleaned.toString();
    }
}
