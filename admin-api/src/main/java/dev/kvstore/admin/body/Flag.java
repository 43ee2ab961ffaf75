package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** A truth value: {@code true} or {@code false}. */
record Flag() implements Shape {
    @Override
    public @Nullable Boolean read(JsonNode value, String place, Flaws flaws) {
        if (!value.isBoolean()) {
            flaws.add(place, "must be true or false, without quotes");
            return null;
        }
        return value.booleanValue();
    }
}
