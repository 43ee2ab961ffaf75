package dev.kvstore.admin.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.admin.problem.ProblemException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The position in a list, opaque to callers. Stateless. */
public final class Cursor {
    /** The length of the longest cursor, in characters. */
    public static final int MAX_LENGTH = 1_000;

    private Cursor() {}

    /** A cursor to the items after a name. */
    public static String after(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(UTF_8));
    }

    /**
     * The name after which a list continues; empty for the beginning.
     *
     * @throws ProblemException if no list gave out this cursor
     */
    public static String name(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return "";
        }
        try {
            if (cursor.length() <= MAX_LENGTH) {
                String name = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
                if (name.indexOf('\0') < 0) {
                    return name;
                }
            }
        } catch (IllegalArgumentException e) {
            // The error below covers this.
        }
        throw ProblemException.invalid("cursor", "must be the next of a page before");
    }
}
