package dev.kvstore.admin.waiting;

import dev.kvstore.admin.problem.ProblemException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how long a caller lets its call wait, from the query parameter {@code wait}. Stateless. */
public final class WaitTime {
    /**
     * The form of the parameter: whole seconds, 1 to 60, since the server ends connections on which nothing moves for
     * longer.
     */
    public static final String SHAPE = "^([1-9]|[1-5][0-9]|60)s$";

    private static final Pattern PATTERN = Pattern.compile(SHAPE);

    private WaitTime() {}

    /**
     * The time that a caller asks for.
     *
     * @param text null for none
     * @throws ProblemException if the text is no time
     */
    public static Duration of(@Nullable String text) {
        if (text == null) {
            return Duration.ZERO;
        }
        if (!PATTERN.matcher(text).matches()) {
            throw ProblemException.invalid("wait", "must be 1s to 60s");
        }
        return Duration.ofSeconds(Integer.parseInt(text.substring(0, text.length() - 1)));
    }
}
