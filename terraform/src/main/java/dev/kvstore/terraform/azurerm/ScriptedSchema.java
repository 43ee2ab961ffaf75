package dev.kvstore.terraform.azurerm;

import com.google.protobuf.ByteString;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import dev.kvstore.terraform.plugin.Schema.NestedBlock.NestingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema of one resource out of the JavaScript that CDK Terrain generated from the provider's own schema. The
 * script lacks some facts: which optional arguments the provider fills in, which are sensitive, which are deprecated,
 * which values are allowed. For one thread.
 */
final class ScriptedSchema {
    private static final Pattern TYPE = Pattern.compile("\\.tfResourceType = \"([a-z0-9_]+)\"");
    private static final Pattern CLASS = Pattern.compile(
            "^class (\\w+) extends cdktn\\.(ComplexObject|TerraformResource|TerraformDataSource|TerraformProvider) \\{$",
            Pattern.MULTILINE);
    private static final Pattern WRITER = Pattern.compile("^function (\\w+)ToHclTerraform\\(", Pattern.MULTILINE);
    private static final Pattern ARGUMENT = Pattern.compile(
            "^ +(\\w+): \\{\\s+value: .*?(?:struct|this)\\.(_?\\w+?)(?:\\.internalValue)?\\)?,\\s+isBlock: (true|false),"
                    + "\\s+type: \"(\\w+)\",\\s+storageClassType: \"(\\w+)\",",
            Pattern.MULTILINE);
    private static final Pattern NESTED = Pattern.compile(
            "// (\\w+) - computed: (true|false), optional: (true|false), required: (true|false)\\s+this\\._\\w+ = new (\\w+)\\(this,[^;]*?(, true)?\\);");
    private static final Pattern COMPUTED = Pattern.compile(
            "// (\\w+) - computed: true, optional: false, required: false\\s+get \\w+\\(\\) \\{\\s+return ([^;]+);");
    private static final Pattern GETTER = Pattern.compile("(Fn\\.tolist\\()?this\\.get(\\w+?)Attribute\\(");

    private static final Map<String, String> PLAIN =
            Map.of("string", "\"string\"", "boolean", "\"bool\"", "number", "\"number\"", "any", "\"dynamic\"");

    private final Map<String, String> classes = new HashMap<>();
    private final Map<String, String> writers = new HashMap<>();
    private final String script;
    private @Nullable String root;

    ScriptedSchema(String script) {
        this.script = script;
        Matcher header = CLASS.matcher(script);
        while (header.find()) {
            int end = script.indexOf("\n}\n", header.end());
            classes.put(header.group(1), script.substring(header.end(), end));
            if (!header.group(2).equals("ComplexObject")) {
                root = header.group(1);
            }
        }
        Matcher writer = WRITER.matcher(script);
        while (writer.find()) {
            writers.put(
                    capitalized(writer.group(1)),
                    script.substring(writer.end(), script.indexOf("\n}\n", writer.end())));
        }
    }

    /** Name of the resource or data source; that of a provider is its own. */
    String type() {
        Matcher type = TYPE.matcher(script);
        if (!type.find()) {
            throw new IllegalArgumentException("the script has no tfResourceType");
        }
        return type.group(1);
    }

    Schema schema() {
        String name = Objects.requireNonNull(root, "the script has no resource");
        String body = classBody(name);
        int from = body.indexOf("synthesizeHclAttributes()");
        return Schema.newBuilder()
                .setBlock(block(from < 0 ? "" : body.substring(from), body, true))
                .build();
    }

    private Block block(String arguments, String body, boolean top) {
        Map<String, Matcher> nested = new HashMap<>();
        Matcher nesting = NESTED.matcher(body);
        while (nesting.find()) {
            Matcher found = NESTED.matcher(body);
            found.find(nesting.start());
            nested.put(nesting.group(1), found);
        }
        Block.Builder block = Block.newBuilder();
        Matcher argument = ARGUMENT.matcher(arguments);
        List<String> settable = new ArrayList<>();
        while (argument.find()) {
            String name = argument.group(1);
            settable.add(name);
            if (argument.group(3).equals("true")) {
                block.addBlockTypes(nestedBlock(argument, nested.get(name)));
            } else {
                block.addAttributes(settable(argument, body, top));
            }
        }
        addComputed(block, body, nested, settable);
        return block.build();
    }

    private Attribute settable(Matcher argument, String body, boolean top) {
        String name = argument.group(1);
        boolean optional = body.isEmpty()
                || body.contains("reset" + capitalized(argument.group(2).replaceFirst("^_", "")) + "()");
        boolean isId = top && name.equals("id");
        return Attribute.newBuilder()
                .setName(name)
                .setType(ByteString.copyFromUtf8(type(argument.group(4), argument.group(5))))
                .setOptional(optional)
                .setRequired(!optional)
                .setComputed(isId)
                .setWriteOnly(name.endsWith("_wo"))
                .build();
    }

    private static String type(String kind, String storage) {
        if (kind.equals("simple")) {
            return plain(storage);
        }
        String element = storage.endsWith("ListList")
                ? "[\"list\"," + plain(storage.substring(0, storage.length() - "ListList".length())) + "]"
                : plain(storage.replaceFirst("(List|Map)$", ""));
        return "[\"" + kind + "\"," + element + "]";
    }

    private static String plain(String storage) {
        return Objects.requireNonNull(PLAIN.get(storage), () -> "unknown type " + storage);
    }

    private NestedBlock nestedBlock(Matcher argument, @Nullable Matcher nesting) {
        String struct = argument.group(5).replaceFirst("List$", "");
        NestedBlock.Builder nested = NestedBlock.newBuilder()
                .setTypeName(argument.group(1))
                .setBlock(block(
                        Objects.requireNonNullElse(writers.get(struct), ""),
                        classBody(struct + "OutputReference"),
                        false));
        if (argument.group(1).equals("timeouts")) {
            return nested.setNesting(NestingMode.SINGLE).build();
        }
        boolean one = nesting != null && nesting.group(5).endsWith("OutputReference");
        boolean required = nesting != null && nesting.group(4).equals("true");
        return nested.setNesting(argument.group(4).equals("set") ? NestingMode.SET : NestingMode.LIST)
                .setMinItems(required ? 1 : 0)
                .setMaxItems(one ? 1 : 0)
                .build();
    }

    private void addComputed(Block.Builder block, String body, Map<String, Matcher> nested, List<String> settable) {
        Matcher computed = COMPUTED.matcher(body);
        while (computed.find()) {
            Matcher getter = GETTER.matcher(computed.group(2));
            if (getter.find() && !settable.contains(computed.group(1))) {
                block.addAttributes(computed(computed.group(1), got(getter.group(1) != null, getter.group(2))));
            }
        }
        nested.forEach((name, nesting) -> {
            if (nesting.group(2).equals("true") && !settable.contains(name)) {
                String object = nesting.group(5).replaceFirst("List$|OutputReference$", "");
                String kind = nesting.group(6) == null ? "list" : "set";
                block.addAttributes(computed(name, "[\"" + kind + "\"," + objectType(object) + "]"));
            }
        });
    }

    private static Attribute computed(String name, String type) {
        return Attribute.newBuilder()
                .setName(name)
                .setType(ByteString.copyFromUtf8(type))
                .setComputed(true)
                .build();
    }

    private static String got(boolean ofSet, String getter) {
        return switch (getter) {
            case "String" -> "\"string\"";
            case "Boolean" -> "\"bool\"";
            case "Number" -> "\"number\"";
            case "List" -> ofSet ? "[\"set\",\"string\"]" : "[\"list\",\"string\"]";
            case "NumberList" -> "[\"list\",\"number\"]";
            default -> "[\"map\",\"string\"]";
        };
    }

    /** The type of a computed list's elements, whose attributes are all computed. */
    private String objectType(String struct) {
        Block block = block("", classBody(struct + "OutputReference"), false);
        return "[\"object\",{"
                + block.getAttributesList().stream()
                        .map(each ->
                                "\"" + each.getName() + "\":" + each.getType().toStringUtf8())
                        .collect(Collectors.joining(","))
                + "}]";
    }

    /** Empty where there is no such class, as for the blocks of a provider, all of which are optional. */
    private String classBody(String name) {
        return classes.getOrDefault(name, "");
    }

    private static String capitalized(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
