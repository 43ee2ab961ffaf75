package dev.kvstore.admin.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list, in the order of names.
 *
 * @param next asks for the next page, as the parameter {@code cursor}; null after the last page
 */
public record Page<T>(List<T> items, @Nullable String next) {
    public Page {
        items = List.copyOf(items);
    }

    /**
     * A page of rows.
     *
     * @param found at most one more than {@code limit}, in order
     * @param name by which the order goes
     */
    public static <E, T> Page<T> of(List<E> found, int limit, Function<E, String> name, Function<E, T> view) {
        List<E> shown = found.size() > limit ? found.subList(0, limit) : found;
        String next = found.size() > limit ? Cursor.after(name.apply(shown.getLast())) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }
}
