package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes up the values that Azure would compute, in Azure's form: texts of the tests' mocks, with the resource's own
 * name for {@code mocked}. Thread-safe.
 */
final class MadeUpValues {
    private static final Pattern RESOURCE =
            Pattern.compile("mock_(?:resource|data) \"(\\w+)\" \\{(.*?)\n}", Pattern.DOTALL);
    private static final Pattern TEXT = Pattern.compile("^ +(\\w+) += \"([^\"]*)\"", Pattern.MULTILINE);

    private final Map<String, Map<String, String>> texts;

    private MadeUpValues(Map<String, Map<String, String>> texts) {
        this.texts = texts;
    }

    /**
     * Reads the mocks.
     *
     * @param mocks folder of files that end with {@code .tfmock.hcl}
     */
    static MadeUpValues read(Path mocks) throws IOException {
        Map<String, Map<String, String>> texts = new HashMap<>();
        try (Stream<Path> files = Files.list(mocks)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".tfmock.hcl"))
                    .toList()) {
                Matcher resource = RESOURCE.matcher(Files.readString(file));
                while (resource.find()) {
                    Map<String, String> values = texts.computeIfAbsent(resource.group(1), _ -> new HashMap<>());
                    // The first of a name is the resource's; further ones are of blocks in it.
                    TEXT.matcher(resource.group(2))
                            .results()
                            .forEach(text -> values.putIfAbsent(text.group(1), text.group(2)));
                }
            }
        }
        return new MadeUpValues(texts);
    }

    /** A plan: values that Azure computes are unknown for a new resource, and write-only values are in no plan. */
    static Map<String, @Nullable Object> unknown(Schema.Block block, Map<?, ?> proposed, boolean isNew) {
        Map<String, @Nullable Object> planned = new LinkedHashMap<>();
        for (Attribute attribute : block.getAttributesList()) {
            Object value = proposed.get(attribute.getName());
            boolean missing = attribute.getComputed() && value == null && isNew;
            planned.put(attribute.getName(), attribute.getWriteOnly() ? null : missing ? MessagePack.UNKNOWN : value);
        }
        for (NestedBlock nested : block.getBlockTypesList()) {
            planned.put(
                    nested.getTypeName(),
                    each(proposed.get(nested.getTypeName()), inner -> unknown(nested.getBlock(), inner, isNew)));
        }
        return planned;
    }

    /** A state: unknown values are made up. */
    Map<String, @Nullable Object> fill(String type, Schema.Block block, Map<?, ?> planned) {
        return fill(type, block, planned, planned, false);
    }

    private Map<String, @Nullable Object> fill(
            String type, Schema.Block block, Map<?, ?> planned, Map<?, ?> resource, boolean inner) {
        Map<String, @Nullable Object> state = new LinkedHashMap<>();
        for (Attribute attribute : block.getAttributesList()) {
            Object value = planned.get(attribute.getName());
            state.put(
                    attribute.getName(),
                    value == MessagePack.UNKNOWN ? madeUp(type, attribute, planned, resource, inner) : value);
        }
        for (NestedBlock nested : block.getBlockTypesList()) {
            Object blocks = planned.get(nested.getTypeName());
            // Azure makes none by itself.
            state.put(
                    nested.getTypeName(),
                    blocks == MessagePack.UNKNOWN
                            ? List.of()
                            : each(blocks, one -> fill(type, nested.getBlock(), one, resource, true)));
        }
        return state;
    }

    private interface ValueChange {
        Object apply(Map<?, ?> block);
    }

    private static @Nullable Object each(@Nullable Object value, ValueChange change) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> changed = new ArrayList<>();
            for (Object element : list) {
                changed.add(element instanceof Map<?, ?> block ? change.apply(block) : element);
            }
            return changed;
        }
        return value instanceof Map<?, ?> block ? change.apply(block) : value;
    }

    private @Nullable Object madeUp(
            String type, Attribute attribute, Map<?, ?> block, Map<?, ?> resource, boolean inner) {
        String of = attribute.getType().toStringUtf8();
        if (of.startsWith("[\"list\"") || of.startsWith("[\"set\"")) {
            return List.of();
        }
        if (of.startsWith("[")) {
            return Map.of();
        }
        return switch (of) {
            case "\"bool\"" -> false;
            case "\"number\"" -> 1L;
            default -> text(type, attribute.getName(), block, resource, inner);
        };
    }

    private String text(String type, String attribute, Map<?, ?> block, Map<?, ?> resource, boolean inner) {
        String name = String.valueOf(resource.get("name"));
        String made = texts.getOrDefault(type, Map.of()).getOrDefault(attribute, "made-up-" + attribute + "-mocked");
        if (resource.get("resource_group_name") instanceof String group) {
            made = made.replace("/resourceGroups/mocked", "/resourceGroups/" + group);
        }
        if (inner) {
            // The id of a block in the resource, such as the frontend of a load balancer.
            made += "/" + attribute + "/" + block.get("name");
        }
        return made.replace("mocked", name);
    }

    /** Numbers of JSON as MessagePack has them. */
    static @Nullable Object longs(@Nullable Object value) {
        return switch (value) {
            case Integer number -> (long) number;
            case List<?> list -> list.stream().map(MadeUpValues::longs).toList();
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> longs = new LinkedHashMap<>();
                map.forEach((key, each) -> longs.put(String.valueOf(key), longs(each)));
                yield longs;
            }
            case null, default -> value;
        };
    }
}
