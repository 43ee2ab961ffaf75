package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.admin.name.PlainText;
import org.jspecify.annotations.Nullable;

/** Text, of characters that can be kept and shown. */
record Text() implements Shape {
    @Override
    public @Nullable String read(JsonNode value, String place, Flaws flaws) {
        if (!value.isTextual()) {
            flaws.add(place, "must be text in quotes");
            return null;
        }
        String text = value.textValue();
        String flaw = PlainText.flaw(text);
        if (flaw != null) {
            flaws.add(place, flaw);
            return null;
        }
        return text;
    }
}
