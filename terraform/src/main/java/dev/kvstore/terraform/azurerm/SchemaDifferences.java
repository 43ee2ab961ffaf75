package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The differences between the schemas of two azurerms. For one thread. */
final class SchemaDifferences {
    private final List<String> found = new ArrayList<>();

    private SchemaDifferences() {}

    /**
     * Compares the schemas of resources that the stand-in has. Modules read no data sources.
     *
     * @param ours of the stand-in
     * @param real of a real azurerm, of more resources
     */
    static List<String> between(GetProviderSchema.Response ours, GetProviderSchema.Response real) {
        SchemaDifferences differences = new SchemaDifferences();
        differences.compareAll(ours.getResourceSchemasMap(), real.getResourceSchemasMap());
        return List.copyOf(differences.found);
    }

    private void compareAll(Map<String, Schema> ours, Map<String, Schema> real) {
        new TreeMap<>(ours).forEach((type, schema) -> {
            Schema other = real.get(type);
            if (other == null) {
                found.add(type + ": azurerm does not have it");
            } else {
                compare(type, schema.getBlock(), other.getBlock());
            }
        });
    }

    private void compare(String at, Block ours, Block real) {
        Map<String, Attribute> attributes = byName(ours.getAttributesList(), Attribute::getName);
        Map<String, Attribute> otherAttributes = byName(real.getAttributesList(), Attribute::getName);
        Map<String, NestedBlock> blocks = byName(ours.getBlockTypesList(), NestedBlock::getTypeName);
        Map<String, NestedBlock> otherBlocks = byName(real.getBlockTypesList(), NestedBlock::getTypeName);
        Stream.of(attributes, otherAttributes, blocks, otherBlocks)
                .flatMap(map -> map.keySet().stream())
                .distinct()
                .sorted()
                .forEach(name -> {
                    NestedBlock block = blocks.get(name);
                    NestedBlock otherBlock = otherBlocks.get(name);
                    say(at, name, says(attributes.get(name), block), says(otherAttributes.get(name), otherBlock));
                    if (block != null && otherBlock != null) {
                        compare(at + "." + name, block.getBlock(), otherBlock.getBlock());
                    }
                });
    }

    private void say(String at, String name, String ours, String real) {
        if (!ours.equals(real)) {
            found.add(at + "." + name + ": azurerm says " + real + ", the stand-in " + ours);
        }
    }

    private static String says(@Nullable Attribute attribute, @Nullable NestedBlock block) {
        if (attribute != null) {
            return (attribute.getRequired() ? "required " : "")
                    + (attribute.getOptional() ? "optional " : "")
                    + (attribute.getComputed() ? "computed " : "")
                    + (attribute.getWriteOnly() ? "write-only " : "")
                    + LeastResource.type(attribute);
        }
        return block == null
                ? "nothing"
                : "a block, " + block.getNesting() + " of " + block.getMinItems() + " to " + block.getMaxItems();
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        return all.stream().collect(Collectors.toMap(name, each -> each));
    }
}
