package dev.kvstore.admin.change;

import org.jspecify.annotations.Nullable;

/**
 * The resource that is changed.
 *
 * @param kind such as {@code account}
 * @param tenant the tenant that owns it; null if none does
 */
public record Subject(String kind, String name, @Nullable String tenant) {}
