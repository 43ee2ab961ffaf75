package dev.kvstore.admin.page;

import dev.kvstore.admin.problem.ProblemException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the filters of lists. Stateless. */
public final class Filter {
    private Filter() {}

    /**
     * The constant of an enum with a given word, which is its name in lower case.
     *
     * @param field the parameter's name
     * @throws ProblemException if no constant has this word
     */
    public static <E extends Enum<E>> @Nullable E word(Class<E> type, String field, @Nullable String word) {
        if (word == null) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(word)) {
                return constant;
            }
        }
        throw ProblemException.invalid(
                field,
                "must be one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(Filter::word)
                                .collect(Collectors.joining(", ")));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads a cursor that is a number, such as that of a log; 0 for the beginning. */
    public static long number(String name) {
        try {
            return name.isEmpty() ? 0 : Long.parseLong(name);
        } catch (NumberFormatException e) {
            throw ProblemException.invalid("cursor", "must be the next of a page before");
        }
    }
}
