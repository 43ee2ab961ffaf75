package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A time, as RFC 3339 writes it. */
record Moment() implements Shape {
    private static final Pattern RFC_3339 = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})");

    @Override
    public @Nullable Instant read(JsonNode value, String place, Flaws flaws) {
        if (value.isTextual() && RFC_3339.matcher(value.textValue()).matches()) {
            try {
                return OffsetDateTime.parse(value.textValue()).toInstant();
            } catch (DateTimeException e) {
                // A time with a thirteenth month gets here.
                flaws.add(place, "must be a time that there is, such as \"2030-01-31T12:00:00Z\"");
                return null;
            }
        }
        flaws.add(place, "must be a time in quotes, such as \"2030-01-31T12:00:00Z\"");
        return null;
    }
}
