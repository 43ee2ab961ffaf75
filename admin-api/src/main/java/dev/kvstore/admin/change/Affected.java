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

    public Affected {
        keyIds = List.copyOf(keyIds);
        resourceNames = List.copyOf(resourceNames);
    }

    public static Affected key(String id) {
        return new Affected(List.of(id), List.of());
    }

    public static Affected keys(List<String> ids) {
        return new Affected(ids, List.of());
    }

    public static Affected resource(String name) {
        return new Affected(List.of(), List.of(name));
    }
}
