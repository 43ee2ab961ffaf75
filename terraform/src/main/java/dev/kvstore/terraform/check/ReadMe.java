package dev.kvstore.terraform.check;

import dev.kvstore.terraform.check.Hcl.HclBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A module's README: its header, and tables of what its code declares. For one thread.
 *
 * @param folder of the module
 * @param text of what the README must be
 */
record ReadMe(Path folder, String text) {
    /** The part of the page that people write; the rest is generated. */
    static final String HEADER = "_header.md";

    private static final String FILE = "README.md";

    /** Makes the text of a module's README. */
    static ReadMe of(Path folder) throws IOException {
        List<HclBlock> blocks = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".tf"))
                    .sorted()
                    .toList()) {
                blocks.addAll(Hcl.blocks(Files.readString(file)));
            }
        }
        StringBuilder text = new StringBuilder();
        text.append("<!-- ./kv terraform check --write makes this page of _header.md and the module's code. -->\n");
        text.append(Files.readString(folder.resolve(HEADER)).strip()).append("\n\n");
        inputs(text, blocks, true);
        inputs(text, blocks, false);
        outputs(text, blocks);
        resources(text, blocks);
        return new ReadMe(folder, text.toString());
    }

    private static void inputs(StringBuilder text, List<HclBlock> blocks, boolean required) {
        Map<String, HclBlock> inputs = new TreeMap<>();
        blocks.stream()
                .filter(block -> block.type().equals("variable"))
                .filter(block -> block.arguments().containsKey("default") != required)
                .forEach(block -> inputs.put(block.label(), block));
        text.append(required ? "## Required inputs\n\n" : "## Optional inputs\n\n");
        if (inputs.isEmpty()) {
            text.append("None.\n\n");
            return;
        }
        inputs.forEach((name, input) -> {
            text.append("### ")
                    .append(name)
                    .append("\n\n")
                    .append(input.text("description"))
                    .append("\n\n");
            String type = input.arguments().getOrDefault("type", "any");
            if (type.contains("\n")) {
                text.append("```hcl\n").append(type).append("\n```\n\n");
            } else {
                text.append("Type: `").append(type).append("`");
                text.append(required ? "\n\n" : ". ");
            }
            if (!required) {
                text.append("Default: `")
                        .append(oneLine(input.arguments().getOrDefault("default", "null")))
                        .append("`\n\n");
            }
        });
    }

    private static String oneLine(String value) {
        return value.replaceAll("\\s*\n\\s*", " ");
    }

    private static void outputs(StringBuilder text, List<HclBlock> blocks) {
        text.append("## Outputs\n\n| name | is |\n|---|---|\n");
        Map<String, String> outputs = new TreeMap<>();
        blocks.stream()
                .filter(block -> block.type().equals("output"))
                .forEach(block -> outputs.put(
                        block.label(),
                        block.text("description")
                                + ("true".equals(block.arguments().get("sensitive")) ? " Sensitive." : "")));
        outputs.forEach((name, is) -> text.append("| `")
                .append(name)
                .append("` | ")
                .append(is.replace("\n", " "))
                .append(" |\n"));
    }

    private static void resources(StringBuilder text, List<HclBlock> blocks) {
        TreeSet<String> resources = new TreeSet<>();
        blocks.stream()
                .filter(block -> block.type().equals("resource") || block.type().equals("data"))
                .forEach(block -> resources.add("`" + block.label() + "`"));
        if (!resources.isEmpty()) {
            text.append("\n## Resources\n\n")
                    .append(String.join(", ", resources))
                    .append("\n");
        }
    }

    void write() throws IOException {
        Files.writeString(folder.resolve(FILE), text);
    }

    List<String> problems() throws IOException {
        Path file = folder.resolve(FILE);
        return Files.exists(file) && Files.readString(file).equals(text)
                ? List.of()
                : List.of("README.md does not say what the code says: ./kv terraform check --write writes it");
    }
}
