package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON form that a Java type has in a body. A value of any other form is a flaw: an empty text is no time, 0.9
 * is no whole number, 3 is no state, and null is no value at all. Immutable.
 */
sealed interface Shape permits Text, Flag, Whole, Moment, Word, Items, Fields {
    /**
     * Reads a value.
     *
     * @param place the path of the value in the body; empty for the body itself
     * @param flaws receives the wrong fields
     * @return null if something is wrong
     */
    @Nullable
    Object read(JsonNode value, String place, Flaws flaws);

    /**
     * The form of a type.
     *
     * @throws IllegalArgumentException if bodies have no such type; they have no primitives, since a field may be
     *     missing
     */
    static Shape of(Type type) {
        return switch (type) {
            case Class<?> text when text == String.class -> new Text();
            case Class<?> flag when flag == Boolean.class -> new Flag();
            case Class<?> number when number == Integer.class -> Whole.INTEGER;
            case Class<?> number when number == Long.class -> Whole.LONG;
            case Class<?> moment when moment == Instant.class -> new Moment();
            case Class<?> words when words.isEnum() -> Word.of(words);
            case Class<?> fields when fields.isRecord() -> Fields.of(fields);
            case ParameterizedType list
            when list.getRawType() == List.class -> new Items(of(list.getActualTypeArguments()[0]), false);
            case ParameterizedType set
            when set.getRawType() == Set.class -> new Items(of(set.getActualTypeArguments()[0]), true);
            default ->
                throw new IllegalArgumentException(
                        "a body has no " + type.getTypeName()
                                + ": it has String, Boolean, Integer, Long, Instant, enums, records, and List and Set of those");
        };
    }
}
