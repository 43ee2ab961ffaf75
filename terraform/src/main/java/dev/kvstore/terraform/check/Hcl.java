package dev.kvstore.terraform.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the blocks of a formatted file of Terraform, and their arguments as text: enough for tables of variables and
 * outputs. Thread-safe.
 */
final class Hcl {
    private static final Pattern BLOCK = Pattern.compile("^(\\w+)((?: \"[^\"]+\")*) \\{(?:\\}$|$)", Pattern.MULTILINE);
    private static final Pattern ARGUMENT = Pattern.compile("^  (\\w+) += (.*)$");
    private static final Pattern HEREDOC = Pattern.compile("<<-?(\\w+)$");

    private Hcl() {}

    /**
     * A block of the file's own level.
     *
     * @param label the first label, or empty
     * @param arguments texts of its own arguments, without those of blocks in it
     */
    record HclBlock(String type, String label, Map<String, String> arguments) {
        HclBlock {
            arguments = Map.copyOf(arguments);
        }

        /** An argument that is a text, without its quotes; empty if missing. */
        String text(String name) {
            String value = arguments.getOrDefault(name, "");
            Matcher heredoc =
                    Pattern.compile("<<-?(\\w+)\n(.*)\n\\s*\\1", Pattern.DOTALL).matcher(value);
            if (heredoc.matches()) {
                return heredoc.group(2).stripIndent().strip();
            }
            return value.replaceAll("^\"|\"$", "").replace("\\\"", "\"").replace("$${", "${");
        }
    }

    /** All blocks of the file's own level, in their order. */
    static List<HclBlock> blocks(String text) {
        List<HclBlock> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            int end = text.indexOf("\n}", block.end());
            String body = block.group().endsWith("{}") || end < 0 ? "" : text.substring(block.end(), end);
            String label = block.group(2).strip().replaceAll("\".*|^\"", "");
            Matcher first = Pattern.compile("\"([^\"]+)\"").matcher(block.group(2));
            blocks.add(new HclBlock(block.group(1), first.find() ? first.group(1) : label, arguments(body)));
        }
        return blocks;
    }

    private static Map<String, String> arguments(String body) {
        Map<String, String> arguments = new LinkedHashMap<>();
        List<String> lines = List.of(body.split("\n"));
        for (int i = 0; i < lines.size(); i++) {
            Matcher argument = ARGUMENT.matcher(lines.get(i));
            if (argument.matches()) {
                StringBuilder value = new StringBuilder(argument.group(2));
                Matcher heredoc = HEREDOC.matcher(argument.group(2));
                Pattern last = heredoc.find()
                        ? Pattern.compile("\\s*" + heredoc.group(1))
                        : argument.group(2).matches(".*[({\\[]$") ? Pattern.compile("  [)}\\]]+") : null;
                while (last != null && i + 1 < lines.size()) {
                    i++;
                    value.append('\n').append(lines.get(i).replaceFirst("^  ", ""));
                    if (last.matcher(lines.get(i)).matches()) {
                        break;
                    }
                }
                arguments.put(argument.group(1), value.toString());
            }
        }
        return arguments;
    }
}
