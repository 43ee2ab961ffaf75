package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * An array.
 *
 * @param unique whether no item may appear twice
 */
record Items(Shape item, boolean unique) implements Shape {
    @Override
    public @Nullable Object read(JsonNode value, String place, Flaws flaws) {
        if (!value.isArray()) {
            flaws.add(place, "must be a JSON array, as in [...]");
            return null;
        }
        List<Object> items = new ArrayList<>();
        SequencedSet<Object> different = new LinkedHashSet<>();
        for (int i = 0; i < value.size(); i++) {
            String at = place + "[" + i + "]";
            Object read = item.read(value.path(i), at, flaws);
            if (read == null) {
                continue;
            }
            items.add(read);
            if (!different.add(read) && unique) {
                flaws.add(at, "is there already: leave one of the two out");
            }
        }
        return unique ? Collections.unmodifiableSet(different) : List.copyOf(items);
    }
}
