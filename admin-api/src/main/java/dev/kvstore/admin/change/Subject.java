package dev.kvstore.admin.change;

import org.jspecify.annotations.Nullable;

/**
 * What is changed.
 *
 * @param kind such as {@code account}
 * @param tenant to whom it belongs; null if to no tenant
 */
public record Subject(String kind, String name, @Nullable String tenant) {}
