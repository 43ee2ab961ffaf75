package dev.kvstore.terraform.azurerm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of values that azurerm takes, of {@code terraform/testing/azurerm.values}, where its form is explained.
 * Thread-safe.
 */
final class AllowedValues {
    private static final Pattern RESOURCE = Pattern.compile("(azurerm_\\w+) +(https://\\S+)");
    private static final Pattern LINE = Pattern.compile(" +([\\w.]+)  +(\\S.*?)(?:  +\\((at plan|at apply)\\))?");
    private static final Pattern SCHEMA = Pattern.compile("filled in|at most (\\d+)");

    /** Stands in {@link #schema} for an argument that azurerm fills in. */
    static final int FILLED_IN = 0;

    /**
     * A rule of the table.
     *
     * @param number of the line, from 1
     * @param later whether azurerm looks only when it plans or applies
     */
    record RuleLine(int number, List<String> path, ValueRule rule, boolean later, String page) {
        RuleLine {
            path = List.copyOf(path);
        }
    }

    /**
     * A value that azurerm refuses.
     *
     * @param path names of blocks, and positions in lists
     */
    record RefusedValue(List<Object> path, String reason) {
        RefusedValue {
            path = List.copyOf(path);
        }
    }

    private final Map<String, List<RuleLine>> lines;
    private final Map<String, Map<List<String>, Integer>> schemas;
    private final Map<String, List<Replacement>> replacements;

    private AllowedValues(
            Map<String, List<RuleLine>> lines,
            Map<String, Map<List<String>, Integer>> schemas,
            Map<String, List<Replacement>> replacements) {
        this.lines = lines;
        this.schemas = schemas;
        this.replacements = replacements;
    }

    /**
     * Reads the table.
     *
     * @throws IOException with the number of the line, if one is not of the table's form
     */
    static AllowedValues read(Path table) throws IOException {
        Map<String, List<RuleLine>> lines = new HashMap<>();
        Map<String, Map<List<String>, Integer>> schemas = new HashMap<>();
        List<RuleLine> current = new ArrayList<>();
        Map<List<String>, Integer> schema = new HashMap<>();
        Map<String, List<Replacement>> replacements = new HashMap<>();
        List<Replacement> replacing = new ArrayList<>();
        String page = "";
        int number = 0;
        for (String text : Files.readAllLines(table)) {
            number++;
            Matcher resource = RESOURCE.matcher(text);
            Matcher line = LINE.matcher(text);
            if (resource.matches()) {
                page = resource.group(2);
                current = lines.computeIfAbsent(resource.group(1), _ -> new ArrayList<>());
                schema = schemas.computeIfAbsent(resource.group(1), _ -> new HashMap<>());
                replacing = replacements.computeIfAbsent(resource.group(1), _ -> new ArrayList<>());
            } else if (line.matches()
                    && !page.isEmpty()
                    && SCHEMA.matcher(line.group(2)).matches()) {
                String most = line.group(2).replaceFirst("at most |filled in", "");
                schema.put(List.of(line.group(1).split("\\.")), most.isEmpty() ? FILLED_IN : Integer.parseInt(most));
            } else if (line.matches() && !page.isEmpty()) {
                List<String> path = List.of(line.group(1).split("\\."));
                Replacement replacement = Replacement.of(path, line.group(2));
                if (replacement != null) {
                    replacing.add(replacement);
                    continue;
                }
                try {
                    current.add(new RuleLine(number, path, ValueRule.of(line.group(2)), line.group(3) != null, page));
                } catch (IllegalArgumentException e) {
                    throw new IOException(table + ":" + number + ": " + e.getMessage(), e);
                }
            } else if (!text.isBlank() && !text.startsWith("#")) {
                throw new IOException(
                        table + ":" + number + ": neither a resource with its page, nor an argument with its rule");
            }
        }
        return new AllowedValues(lines, schemas, replacements);
    }

    /** The arguments of a resource whose change makes another one of it. */
    List<Replacement> replacements(String type) {
        return Collections.unmodifiableList(replacements.getOrDefault(type, List.of()));
    }

    /** The table's rules by resource. */
    Map<String, List<RuleLine>> lines() {
        return Collections.unmodifiableMap(lines);
    }

    /**
     * The facts that the schema of the package lacks, by path: for a block, how many there may be; for an argument,
     * {@link #FILLED_IN} if azurerm fills it in where a configuration does not set it.
     */
    Map<List<String>, Integer> schema(String type) {
        return schemas.getOrDefault(type, Map.of());
    }

    /** The values of a configuration that are refused. */
    List<RefusedValue> check(String type, @Nullable Object configuration) {
        List<RefusedValue> refused = new ArrayList<>();
        for (RuleLine line : lines.getOrDefault(type, List.of())) {
            check(line, line.path(), configuration, new ArrayList<>(), refused);
        }
        return refused;
    }

    private static void check(
            RuleLine line, List<String> left, @Nullable Object value, List<Object> path, List<RefusedValue> refused) {
        if (value instanceof List<?> blocks) {
            for (int i = 0; i < blocks.size(); i++) {
                check(line, left, blocks.get(i), with(path, i), refused);
            }
        } else if (value instanceof Map<?, ?> block) {
            String name = left.getFirst();
            if (left.size() > 1) {
                check(line, left.subList(1, left.size()), block.get(name), with(path, name), refused);
                return;
            }
            String reason = line.rule().refusal(name, block);
            if (reason != null) {
                refused.add(new RefusedValue(with(path, name), reason + " (" + line.page() + ")"));
            }
        }
    }

    private static List<Object> with(List<Object> path, Object step) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }
}
