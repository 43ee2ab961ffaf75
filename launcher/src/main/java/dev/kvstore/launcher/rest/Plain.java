package dev.kvstore.launcher.rest;

import java.util.function.IntPredicate;

/**
 * Cleans text of others for a terminal. The text loses control characters, also those beyond ASCII (U+009B begins a
 * command like ESC [ does), separators of lines, and marks that turn the direction of writing. Stateless.
 */
public final class Plain {
    private Plain() {}

    /** The text as one line, with {@code ?} in place of each such character. */
    public static String line(String text) {
        return replaced(text, c -> false, "?");
    }

    /** The text in any number of lines, with {@code ?} in place of each such character except ends of lines. */
    public static String lines(String text) {
        return replaced(text, c -> c == '\n', "?");
    }

    /** The JSON with an escape in place of each such character, which only texts can have. */
    public static String json(String json) {
        return replaced(json, c -> c == '\n', "\\u%04x");
    }

    private static String replaced(String text, IntPredicate kept, String format) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (steers(c) && !kept.test(c)) {
                plain.append(format.formatted(c));
            } else {
                plain.appendCodePoint(c);
            }
        });
        return plain.toString();
    }

    private static boolean steers(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            // The marks U+200E and U+200F, and joiners, are part of words.
            case Character.FORMAT -> (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
            default -> false;
        };
    }
}
