package dev.kvstore.terraform.azurerm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import dev.kvstore.terraform.plugin.Schema.NestedBlock.NestingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The least arguments that a resource can have: each required one, of a value that is not known yet, so that azurerm
 * has nothing to refuse. In blocks the values are known, since azurerm looks at no block that has an unknown one.
 * Arguments of a trial are added to it. Thread-safe.
 */
final class LeastResource {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LeastResource() {}

    /** Stands for an argument that is not there, even a required one. */
    static final Object UNSET = Optional.of("unset");

    /** The required arguments. */
    static Map<String, @Nullable Object> of(Block block) {
        return of(block, true);
    }

    private static Map<String, @Nullable Object> of(Block block, boolean top) {
        Map<String, @Nullable Object> least = new LinkedHashMap<>();
        for (Attribute attribute : block.getAttributesList()) {
            Object some = top ? MessagePack.UNKNOWN : some(type(attribute));
            least.put(attribute.getName(), attribute.getRequired() ? some : null);
        }
        for (NestedBlock nested : block.getBlockTypesList()) {
            least.put(
                    nested.getTypeName(),
                    nested.getNesting() == NestingMode.SINGLE
                            ? null
                            : Collections.nCopies((int) nested.getMinItems(), of(nested.getBlock(), false)));
        }
        return least;
    }

    /**
     * A copy with one more argument, in the first block of each name on the way to it; blocks that are missing are
     * made.
     *
     * @param value text of an attribute's value, {@link #UNSET} or {@link MessagePack#UNKNOWN}; of no meaning if the
     *     argument is a block
     * @throws IllegalArgumentException if the resource has no such argument
     */
    static Map<String, @Nullable Object> with(
            Block block, Map<String, @Nullable Object> resource, List<String> path, Object value) {
        String name = path.getFirst();
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(resource);
        Optional<NestedBlock> nested = nested(block, name);
        if (nested.isPresent()) {
            Block inner = nested.get().getBlock();
            Map<String, @Nullable Object> first =
                    copy.get(name) instanceof List<?> list && !list.isEmpty() ? map(list.getFirst()) : of(inner, false);
            Map<String, @Nullable Object> changed =
                    path.size() == 1 ? first : with(inner, first, path.subList(1, path.size()), value);
            copy.put(name, nested.get().getNesting() == NestingMode.SINGLE ? changed : List.of(changed));
        } else {
            Attribute attribute = attribute(block, name);
            if (path.size() > 1) {
                throw new IllegalArgumentException(name + " is no block");
            }
            if (value == UNSET) {
                copy.put(name, null);
            } else {
                copy.put(name, value == MessagePack.UNKNOWN ? value : value(type(attribute), String.valueOf(value)));
            }
        }
        return copy;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> map(Object block) {
        return (Map<String, @Nullable Object>) block;
    }

    /** The attribute at the end of a path, or empty if it is a block. */
    static Optional<Attribute> find(Block block, List<String> path) {
        Optional<NestedBlock> nested = nested(block, path.getFirst());
        if (nested.isPresent()) {
            return path.size() == 1 ? Optional.empty() : find(nested.get().getBlock(), path.subList(1, path.size()));
        }
        return Optional.of(attribute(block, path.getFirst()));
    }

    private static Optional<NestedBlock> nested(Block block, String name) {
        return block.getBlockTypesList().stream()
                .filter(each -> each.getTypeName().equals(name))
                .findFirst();
    }

    private static Attribute attribute(Block block, String name) {
        return block.getAttributesList().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("azurerm has no argument " + name));
    }

    static JsonNode type(Attribute attribute) {
        try {
            return JSON.readTree(attribute.getType().toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A value of a type, which azurerm may refuse for another reason. */
    static Object some(JsonNode type) {
        JsonNode element = type.isArray() ? type.get(1) : type;
        return switch (element.asText()) {
            case "bool" -> value(type, "true");
            case "number" -> value(type, "1");
            case "string" -> value(type, "x");
            // A set or a list of objects.
            default -> List.of();
        };
    }

    private static Object value(JsonNode type, String text) {
        if (type.isArray()) {
            Object element = value(type.get(1), text);
            return type.get(0).asText().equals("map") ? Map.of("key", element) : List.of(element);
        }
        return switch (type.asText()) {
            case "number" -> Long.parseLong(text);
            case "bool" -> Boolean.parseBoolean(text);
            default -> text;
        };
    }
}
