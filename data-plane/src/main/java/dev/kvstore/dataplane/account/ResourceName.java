package dev.kvstore.dataplane.account;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rule for names of resources. Stateless. */
public final class ResourceName {
    public static final int MAX_LENGTH = 63;

    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");

    private ResourceName() {}

    /** The flaw of a name, or null. */
    public static @Nullable String flaw(String name) {
        if (name.isEmpty()) {
            return "must not be empty";
        }
        if (name.length() > MAX_LENGTH) {
            return "must be at most " + MAX_LENGTH + " characters";
        }
        if (!SHAPE.matcher(name).matches() || name.contains("..")) {
            return "must be letters, digits, '.', '_' and '-', begin and end with a letter or digit, and hold no \"..\"";
        }
        return null;
    }
}
