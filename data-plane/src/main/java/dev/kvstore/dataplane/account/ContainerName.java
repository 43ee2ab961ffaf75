package dev.kvstore.dataplane.account;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Azure's rule for names of blob containers, without the special ones such as {@code $root}. Stateless. */
final class ContainerName {
    private static final int MIN_LENGTH = 3;
    private static final int MAX_LENGTH = 63;
    private static final Pattern SHAPE = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private ContainerName() {}

    /** The flaw of a name, or null. */
    static @Nullable String flaw(String name) {
        return name.length() < MIN_LENGTH
                        || name.length() > MAX_LENGTH
                        || !SHAPE.matcher(name).matches()
                ? "must be 3 to 63 of a-z, 0-9 and single '-' between them, not \"" + name + "\""
                : null;
    }
}
