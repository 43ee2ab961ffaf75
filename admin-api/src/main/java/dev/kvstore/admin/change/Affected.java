package dev.kvstore.admin.change;

import java.util.List;

/**
 * Whose rights a change touched: what data planes have to ask for again.
 *
 * @param keyIds keys, whatever the resource
 * @param resourceNames resources, whatever the key
 */
public record Affected(List<String> keyIds, List<String> resourceNames) {
    /** Nobody's. */
    public static final Affected NONE = new Affected(List.of(), List.of());

    /** In place of a resource's name: everybody's. */
    public static final String ALL = "*";

    /** More than so many names are not worth telling one by one. */
    private static final int MOST = 1_000;

    public Affected {
        boolean many = keyIds.size() + resourceNames.size() > MOST;
        keyIds = many ? List.of() : List.copyOf(keyIds);
        resourceNames = many ? List.of(ALL) : List.copyOf(resourceNames);
    }

    public static Affected key(String id) {
        return new Affected(List.of(id), List.of());
    }

    public static Affected resource(String name) {
        return new Affected(List.of(), List.of(name));
    }
}
