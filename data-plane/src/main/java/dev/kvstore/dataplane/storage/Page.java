package dev.kvstore.dataplane.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of a listing.
 *
 * @param next where the next page begins, or null if this is the last
 */
public record Page(List<String> names, @Nullable String next) {
    public Page {
        names = List.copyOf(names);
    }
}
