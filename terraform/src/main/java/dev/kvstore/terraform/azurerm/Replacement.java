package dev.kvstore.terraform.azurerm;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An argument whose change makes azurerm plan another resource in place of the one that is there. Immutable.
 *
 * @param path of the argument; names of blocks before it
 */
record Replacement(List<String> path, ReplacingChange change) {
    private static final String WORD = "replaces";

    /** The changes that count. */
    enum ReplacingChange {
        ANY(""),
        /** To a smaller number, or the text of one. */
        LOWER(" when lower"),
        /** To a set or list that lacks an element. */
        LESS(" when less"),
        /** From a value that was set. */
        SET(" when set");

        private final String words;

        ReplacingChange(String words) {
            this.words = words;
        }
    }

    Replacement {
        path = List.copyOf(path);
    }

    /** Reads one as the table has it; null for another rule. */
    static @Nullable Replacement of(List<String> path, String rule) {
        for (ReplacingChange change : ReplacingChange.values()) {
            if (rule.equals(WORD + change.words)) {
                return new Replacement(path, change);
            }
        }
        return null;
    }

    /** The line of the table, without blanks before it. */
    String text() {
        return String.join(".", path) + words(change);
    }

    /** The rule, as it stands behind the argument in the table. */
    static String words(ReplacingChange change) {
        return "  " + WORD + change.words;
    }

    /** Whether the change from one state of a resource to another is such a one. */
    boolean isIn(Map<?, ?> before, Map<?, ?> after) {
        return isIn(path, before, after);
    }

    private boolean isIn(List<String> left, Map<?, ?> before, Map<?, ?> after) {
        Object one = before.get(left.getFirst());
        Object other = after.get(left.getFirst());
        if (left.size() == 1) {
            return !Objects.equals(one, other) && counts(one, other);
        }
        List<String> rest = left.subList(1, left.size());
        if (one instanceof List<?> blocks && other instanceof List<?> changed) {
            for (int i = 0; i < Math.min(blocks.size(), changed.size()); i++) {
                if (blocks.get(i) instanceof Map<?, ?> a && changed.get(i) instanceof Map<?, ?> b && isIn(rest, a, b)) {
                    return true;
                }
            }
            return false;
        }
        return one instanceof Map<?, ?> a && other instanceof Map<?, ?> b && isIn(rest, a, b);
    }

    private boolean counts(@Nullable Object before, @Nullable Object after) {
        return switch (change) {
            case ANY -> true;
            case LOWER -> number(after) < number(before);
            case LESS -> before instanceof List<?> all && after instanceof List<?> some && !some.containsAll(all);
            case SET -> before != null && !before.equals("");
        };
    }

    private static double number(@Nullable Object value) {
        try {
            return value == null ? Double.NaN : Double.parseDouble(value.toString());
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
