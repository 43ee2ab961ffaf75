package dev.kvstore.admin.change;

import java.util.List;
import java.util.stream.Stream;

/**
 * The keys and resources whose rights a change concerns, so that data planes must ask for them again.
 *
 * @param keyIds keys, whatever the resource
 * @param resourceNames resources, whatever the key
 */
public record Affected(List<String> keyIds, List<String> resourceNames) {
    /** No key and no resource. */
    public static final Affected NONE = new Affected(List.of(), List.of());

    /** The word in place of a resource's name that stands for all resources. */
    public static final String ALL = "*";

    /** The most names that are listed one by one; beyond this, {@link #ALL} stands for them. */
    public static final int MOST = 1_000;

    public Affected {
        boolean many = keyIds.size() + resourceNames.size() > MOST || resourceNames.contains(ALL);
        keyIds = many ? List.of() : List.copyOf(keyIds);
        resourceNames = many ? List.of(ALL) : List.copyOf(resourceNames);
    }

    /** The union of this and another. */
    public Affected with(Affected other) {
        return new Affected(joined(keyIds, other.keyIds), joined(resourceNames, other.resourceNames));
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    public static Affected key(String id) {
        return new Affected(List.of(id), List.of());
    }

    public static Affected resource(String name) {
        return new Affected(List.of(), List.of(name));
    }
}
