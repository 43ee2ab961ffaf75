package dev.kvstore.admin.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list, in the order of names.
 *
 * @param next the parameter {@code cursor} of the next page; null after the last page
 */
public record Page<T>(List<T> items, @Nullable String next) {
    /**
     * The most bytes of a page's items, about, so that many pages which nobody reads fit into memory. A page with long
     * items has fewer items than its caller asked for.
     */
    static final long MOST_BYTES = 256 << 10;

    public Page {
        items = List.copyOf(items);
    }

    /**
     * The number of items of a page: at least one.
     *
     * @param bytes the bytes of each available item, in order
     * @param limit the most items
     */
    public static int fitting(List<Long> bytes, int limit) {
        int items = 0;
        long sum = 0;
        for (long more : bytes) {
            sum += more;
            if (items == limit || (items > 0 && sum > MOST_BYTES)) {
                break;
            }
            items++;
        }
        return Math.max(items, 1);
    }

    /**
     * A page of rows.
     *
     * @param found at most one more than {@code limit}, in order
     * @param name the name by which rows are sorted
     */
    public static <E, T> Page<T> of(List<E> found, int limit, Function<E, String> name, Function<E, T> view) {
        List<E> shown = found.size() > limit ? found.subList(0, limit) : found;
        String next = found.size() > limit ? Cursor.after(name.apply(shown.getLast())) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }
}
