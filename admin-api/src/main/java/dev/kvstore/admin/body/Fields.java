package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.admin.name.PlainText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object with the fields of a record. Each field may be missing here; the record itself checks that.
 *
 * @param constructor takes the fields in their order
 * @param initial the values of a new resource for fields that a PUT keeps if it leaves them out
 */
record Fields(Constructor<?> constructor, Map<String, Shape> fields, Map<String, JsonNode> initial) implements Shape {
    private static final int MOST_CHARACTERS = 100;

    static Fields of(Class<?> type) {
        Map<String, Shape> fields = new LinkedHashMap<>();
        Map<String, JsonNode> initial = new LinkedHashMap<>();
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            fields.put(components[i].getName(), Shape.of(components[i].getGenericType()));
            KeptIfAbsent kept = components[i].getAnnotation(KeptIfAbsent.class);
            if (kept != null) {
                initial.put(components[i].getName(), StrictJson.tree(kept.initially()));
            }
        }
        try {
            return new Fields(type.getConstructor(types), fields, initial);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type.getName() + " must be public to be in a body", e);
        }
    }

    @Override
    public @Nullable Object read(JsonNode value, String place, Flaws flaws) {
        if (!value.isObject()) {
            flaws.add(place, "must be a JSON object, as in {...}");
            return null;
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            if (!fields.containsKey(field.getKey())) {
                flaws.add(within(place, field.getKey()), "is no field here: the fields are " + names());
            } else if (field.getValue().isNull()) {
                flaws.add(within(place, field.getKey()), "must not be null: leave the field out, or give it a value");
            }
        }
        @Nullable Object[] arguments = new @Nullable Object[fields.size()];
        int next = 0;
        for (Map.Entry<String, Shape> field : fields.entrySet()) {
            JsonNode given = value.path(field.getKey());
            boolean absent = given.isMissingNode() || given.isNull();
            arguments[next++] = absent ? null : field.getValue().read(given, within(place, field.getKey()), flaws);
        }
        return made(arguments);
    }

    private String names() {
        return String.join(", ", fields.keySet());
    }

    /** The path of a field, whose name may be any text of any length. */
    private static String within(String place, String field) {
        String name = PlainText.cleaned(field.substring(0, Math.min(MOST_CHARACTERS, field.length())));
        return place.isEmpty() ? name : place + "." + name;
    }

    private Object made(@Nullable Object[] arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    constructor.getDeclaringClass().getName() + " must take a field that is missing", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a public record can be made", e);
        }
    }
}
