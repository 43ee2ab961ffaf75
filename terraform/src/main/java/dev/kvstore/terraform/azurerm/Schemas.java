package dev.kvstore.terraform.azurerm;

import com.google.protobuf.ByteString;
import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import dev.kvstore.terraform.plugin.Schema.NestedBlock.NestingMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of some resources and data sources: those that a configuration names, since Terraform reads all that it is
 * given at each start. Thread-safe.
 *
 * @param answer a provider's description of itself
 */
record Schemas(GetProviderSchema.Response answer) {
    /**
     * Reads the schemas with these names. A name that azurerm does not have is left out: Terraform says so, with the
     * line.
     *
     * @param archive of {@link AzurermPackage}
     * @param values facts that the archive does not have: which arguments azurerm fills in, how many blocks there may
     *     be
     */
    static Schemas read(Path archive, Set<String> names, AllowedValues values) throws IOException {
        GetProviderSchema.Response.Builder answer = GetProviderSchema.Response.newBuilder();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            Schema provider = schema(zip, "provider");
            if (provider == null) {
                throw new IOException(archive + " has no schema of the provider: delete it");
            }
            answer.setProvider(provider);
            for (String name : new TreeSet<>(names)) {
                Schema resource = schema(zip, "resource/" + name);
                if (resource != null) {
                    answer.putResourceSchemas(
                            name,
                            resource.toBuilder()
                                    .setBlock(completed(resource.getBlock(), values.schema(name)))
                                    .build());
                }
                Schema data = schema(zip, "data/" + name);
                if (data != null) {
                    answer.putDataSourceSchemas(name, data);
                }
            }
        }
        return new Schemas(answer.build());
    }

    private static Block completed(Block block, Map<List<String>, Integer> lost) {
        Block.Builder completed = block.toBuilder().clearBlockTypes();
        for (Attribute.Builder attribute : completed.getAttributesBuilderList()) {
            if (lost.containsKey(List.of(attribute.getName()))) {
                attribute.setComputed(true);
            }
        }
        for (NestedBlock nested : block.getBlockTypesList()) {
            Map<List<String>, Integer> below = new HashMap<>();
            lost.forEach((path, of) -> {
                if (path.size() > 1 && path.getFirst().equals(nested.getTypeName())) {
                    below.put(path.subList(1, path.size()), of);
                }
            });
            Block inner = completed(nested.getBlock(), below);
            Integer most = lost.get(List.of(nested.getTypeName()));
            if (most != null && most == AllowedValues.FILLED_IN) {
                completed.addAttributes(asAttribute(nested));
            } else {
                completed.addBlockTypes(
                        nested.toBuilder().setBlock(inner).setMaxItems(most == null ? nested.getMaxItems() : most));
            }
        }
        return completed.build();
    }

    // A block that azurerm fills in is an attribute in its schema: a list or set of objects.
    private static Attribute asAttribute(NestedBlock nested) {
        return Attribute.newBuilder()
                .setName(nested.getTypeName())
                .setType(ByteString.copyFromUtf8(type(nested)))
                .setOptional(true)
                .setComputed(true)
                .build();
    }

    private static String type(NestedBlock nested) {
        Stream<String> attributes = nested.getBlock().getAttributesList().stream()
                .map(each -> "\"" + each.getName() + "\":" + each.getType().toStringUtf8());
        Stream<String> blocks = nested.getBlock().getBlockTypesList().stream()
                .map(each -> "\"" + each.getTypeName() + "\":" + type(each));
        String kind = nested.getNesting() == NestingMode.SET ? "set" : "list";
        return "[\"" + kind + "\",[\"object\",{"
                + Stream.concat(attributes, blocks).sorted().collect(Collectors.joining(",")) + "}]]";
    }

    private static @Nullable Schema schema(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            return null;
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return Schema.parseFrom(in);
        }
    }
}
