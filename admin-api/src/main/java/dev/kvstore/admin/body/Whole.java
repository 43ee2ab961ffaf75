package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** A whole number: 10, or 10.0, which is the same number in JSON. */
enum Whole implements Shape {
    INTEGER {
        @Override
        @Nullable
        Number within(JsonNode value) {
            return value.canConvertToInt() ? (Number) value.intValue() : null;
        }
    },
    LONG {
        @Override
        @Nullable
        Number within(JsonNode value) {
            return value.canConvertToLong() ? (Number) value.longValue() : null;
        }
    };

    /** The number; null if this type cannot hold it. */
    abstract @Nullable Number within(JsonNode value);

    @Override
    public @Nullable Number read(JsonNode value, String place, Flaws flaws) {
        if (!value.isNumber() || !value.canConvertToExactIntegral()) {
            flaws.add(place, "must be a whole number such as 10, without quotes");
            return null;
        }
        Number number = within(value);
        if (number == null) {
            flaws.add(place, "is beyond what any number here can be: must be nearer to 0");
        }
        return number;
    }
}
