package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * A field of a PUT or PATCH, on the command line.
 *
 * @param name the name; the name of an inner field begins with the outer one and a dot
 * @param ofReplica whether it belongs to the first of an account's replicas
 */
record Field(String name, FieldType type, boolean ofReplica) {
    /** The type of the value after {@code name=}. */
    enum FieldType {
        TEXT,
        NUMBER,
        /** The value is {@code true} or {@code false}. */
        FLAG,
        /** The value is a list of words between commas. */
        WORDS
    }

    static Field of(String name, FieldType type) {
        return new Field(name, type, false);
    }

    static Field ofReplica(String name, FieldType type) {
        return new Field(name, type, true);
    }

    /**
     * The value in JSON.
     *
     * @throws IllegalArgumentException if the text is empty or not of this type: an unset variable of the shell must
     *     not make a key or a grant that never ends
     */
    JsonNode value(String text) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    name + ": has no value behind =; leave " + name + "= out to have it as at first");
        }
        return switch (type) {
            case TEXT -> json.textNode(text);
            case NUMBER -> json.numberNode(number(text));
            case FLAG -> json.booleanNode(flag(text));
            case WORDS -> words(text);
        };
    }

    private long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": must be a whole number, not \"" + text + "\"", e);
        }
    }

    private boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + ": must be true or false, not \"" + text + "\"");
        };
    }

    private static ArrayNode words(String text) {
        ArrayNode words = JsonNodeFactory.instance.arrayNode();
        for (String word : text.split(",", -1)) {
            words.add(word.strip());
        }
        return words;
    }
}
