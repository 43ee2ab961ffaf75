package dev.kvstore.admin.body;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of an enum's constants, by the word that its answers have.
 *
 * @param constants by their words, in the order of the enum
 */
record Word(Map<String, Object> constants) implements Shape {
    static Word of(Class<?> type) {
        Map<String, Object> constants = new LinkedHashMap<>();
        for (Object constant : type.getEnumConstants()) {
            constants.put(word(type, ((Enum<?>) constant).name()), constant);
        }
        return new Word(constants);
    }

    private static String word(Class<?> type, String name) {
        try {
            JsonProperty word = type.getField(name).getAnnotation(JsonProperty.class);
            if (word != null) {
                return word.value();
            }
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("an enum has a field for each constant", e);
        }
        throw new IllegalArgumentException(
                type.getName() + "." + name + " has no word: annotate it with @JsonProperty");
    }

    @Override
    public @Nullable Object read(JsonNode value, String place, Flaws flaws) {
        Object constant = value.isTextual() ? constants.get(value.textValue()) : null;
        if (constant == null) {
            flaws.add(place, "must be one of \"" + String.join("\", \"", constants.keySet()) + "\"");
        }
        return constant;
    }
}
