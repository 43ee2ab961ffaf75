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
    /**
     * Most bytes of the items of a page, about, so that many pages which nobody reads fit into memory. A page has fewer
     * items then than its caller asked for.
     */
    static final long MOST_BYTES = 256 << 10;

    public Page {
        items = List.copyOf(items);
    }

    /**
     * How many items a page has: one in any case.
     *
     * @param bytes of each item that there is, in order
     * @param limit most
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
     * @param name by which the order goes
     */
    public static <E, T> Page<T> of(List<E> found, int limit, Function<E, String> name, Function<E, T> view) {
        List<E> shown = found.size() > limit ? found.subList(0, limit) : found;
        String next = found.size() > limit ? Cursor.after(name.apply(shown.getLast())) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }
}
