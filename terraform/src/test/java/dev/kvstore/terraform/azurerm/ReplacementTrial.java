package dev.kvstore.terraform.azurerm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.kvstore.launcher.Home;
import dev.kvstore.terraform.plugin.AttributePath;
import dev.kvstore.terraform.plugin.DynamicValue;
import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.PlanResourceChange;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds the arguments of the table that replace a resource against the plans of a real azurerm: of each resource of a
 * state, each argument that is set is changed by itself.
 */
public final class ReplacementTrial {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> FIXED = Set.of("name", "location", "resource_group_name");

    private final RestartedAzurerm azurerm;
    private final AllowedValues table;
    private final Map<String, Set<Replacement.ReplacingChange>> replacing = new TreeMap<>();
    private final Map<String, Set<Replacement.ReplacingChange>> keeping = new TreeMap<>();
    private final Set<String> tried = new TreeSet<>();

    private ReplacementTrial(RestartedAzurerm azurerm, AllowedValues table) {
        this.azurerm = azurerm;
        this.table = table;
    }

    /**
     * The differences.
     *
     * @param binary of azurerm
     * @param state of Terraform
     * @return a line with {@code +} for one that the table lacks, with {@code -} for one that azurerm does not have
     */
    public static Set<String> differences(Path binary, Path state) throws IOException, InterruptedException {
        try (RestartedAzurerm azurerm = new RestartedAzurerm(binary)) {
            GetProviderSchema.Response schemas = azurerm.ask(AzurermClient::schemas);
            ReplacementTrial trial = new ReplacementTrial(
                    azurerm, AllowedValues.read(Home.current().path().resolve("terraform/testing/azurerm.values")));
            Map<String, Object> seen = new TreeMap<>();
            for (JsonNode resource : JSON.readTree(state.toFile()).path("resources")) {
                String type = resource.path("type").asText();
                if (resource.path("mode").asText().equals("managed") && schemas.containsResourceSchemas(type)) {
                    for (JsonNode instance : resource.path("instances")) {
                        Object attributes =
                                MadeUpValues.longs(JSON.convertValue(instance.path("attributes"), Object.class));
                        if (attributes instanceof Map<?, ?> of && seen.put(type + of, of) == null) {
                            Schema.Block block =
                                    schemas.getResourceSchemasOrThrow(type).getBlock();
                            trial.tryAll(type, block, PretendedAzure.known(block, of));
                        }
                    }
                }
            }
            System.out.println("azurerm plans these with Azure alone: " + azurerm.needingAzure());
            return trial.differences();
        }
    }

    private void tryAll(String type, Schema.Block block, @Nullable Object state) {
        if (state instanceof Map<?, ?> resource) {
            Map<String, @Nullable Object> prior = copy(resource);
            tryBlock(type, block, block, prior, prior, List.of());
        }
    }

    private void tryBlock(
            String type,
            Schema.Block whole,
            Schema.Block block,
            Map<String, @Nullable Object> prior,
            Map<String, @Nullable Object> within,
            List<String> path) {
        for (Attribute attribute : block.getAttributesList()) {
            Object value = within.get(attribute.getName());
            if ((attribute.getRequired() || attribute.getOptional()) && value != null && !value.equals("")) {
                List<String> argument = and(path, attribute.getName());
                for (Object other : others(type, argument, value)) {
                    tryOne(type, whole, prior, argument, other);
                }
            }
        }
        for (NestedBlock nested : block.getBlockTypesList()) {
            if (within.get(nested.getTypeName()) instanceof List<?> blocks
                    && !blocks.isEmpty()
                    && blocks.getFirst() instanceof Map<?, ?> first) {
                tryBlock(type, whole, nested.getBlock(), prior, copy(first), and(path, nested.getTypeName()));
            }
        }
    }

    private void tryOne(
            String type, Schema.Block block, Map<String, @Nullable Object> prior, List<String> argument, Object after) {
        Map<String, @Nullable Object> proposed = with(prior, argument, after);
        PlanResourceChange.Response plan = azurerm.plan(PlanResourceChange.Request.newBuilder()
                .setTypeName(type)
                .setPriorState(dynamic(prior))
                .setProposedNewState(dynamic(proposed))
                .setConfig(dynamic(configured(block, proposed)))
                .build());
        if (plan == null || plan.getDiagnosticsCount() > 0 || FIXED.contains(argument.getFirst())) {
            return;
        }
        tried.add(type + "  " + String.join(".", argument));
        boolean replaces = plan.getRequiresReplaceList().stream()
                .map(AttributePath::getStepsList)
                .anyMatch(steps -> steps.getFirst().getAttributeName().equals(argument.getFirst()));
        for (Replacement.ReplacingChange change : Replacement.ReplacingChange.values()) {
            if (new Replacement(argument, change).isIn(prior, proposed)) {
                (replaces ? replacing : keeping)
                        .computeIfAbsent(type + "  " + String.join(".", argument), _ -> new TreeSet<>())
                        .add(change);
            }
        }
    }

    /** For each argument the first kind of changes of which all replace. */
    private Set<String> found() {
        Set<String> lines = new TreeSet<>();
        replacing.forEach((argument, changes) -> changes.stream()
                .filter(change -> change != Replacement.ReplacingChange.SET)
                .filter(change -> !keeping.getOrDefault(argument, Set.of()).contains(change))
                .findFirst()
                .ifPresent(change -> lines.add(argument + Replacement.words(change))));
        return lines;
    }

    private Set<String> known() {
        Set<String> lines = new TreeSet<>();
        for (String argument : tried) {
            String[] parts = argument.split("  ", 2);
            table.replacements(parts[0]).stream()
                    .filter(replacement -> String.join(".", replacement.path()).equals(parts[1]))
                    .forEach(replacement -> lines.add(parts[0] + "  " + replacement.text()));
        }
        return lines;
    }

    private Set<String> differences() {
        Set<String> found = found();
        Set<String> known = known();
        Set<String> differences = new TreeSet<>();
        found.stream().filter(line -> !known.contains(line)).forEach(line -> differences.add("+ " + line));
        known.stream().filter(line -> !found.contains(line)).forEach(line -> differences.add("- " + line));
        return differences;
    }

    private List<Object> others(String type, List<String> argument, Object value) {
        return switch (value) {
            case Boolean bool -> List.of(!bool);
            case Long number -> List.of(number + 1, number * 2, Math.max(1, number / 2));
            case String text -> texts(type, argument, text);
            case List<?> list
            when list.stream().allMatch(String.class::isInstance) -> {
                List<Object> others = new ArrayList<>();
                if (list.size() > 1) {
                    others.add(list.subList(1, list.size()));
                }
                if (!list.isEmpty()) {
                    List<Object> more = new ArrayList<>(list);
                    texts(type, argument, String.valueOf(list.getFirst())).stream()
                            .filter(text -> !list.contains(text))
                            .limit(1)
                            .forEach(more::add);
                    others.add(more);
                }
                yield others;
            }
            default -> List.of();
        };
    }

    private List<Object> texts(String type, List<String> argument, String text) {
        for (AllowedValues.RuleLine line : table.lines().getOrDefault(type, List.of())) {
            if (line.path().equals(argument) && line.rule() instanceof ValueRule.OneOf words) {
                return words.words().stream()
                        .filter(word -> !word.equals(text))
                        .map(Object.class::cast)
                        .toList();
            }
        }
        return List.of(text.matches("\\d+") ? Long.toString(Long.parseLong(text) + 1) : text + "x");
    }

    // Values that azurerm computes are in no configuration.
    private static @Nullable Object configured(Schema.Block block, @Nullable Object state) {
        if (!(state instanceof Map<?, ?> map)) {
            return state;
        }
        Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
        block.getAttributesList()
                .forEach(attribute -> configuration.put(
                        attribute.getName(),
                        attribute.getRequired() || attribute.getOptional() ? map.get(attribute.getName()) : null));
        block.getBlockTypesList()
                .forEach(nested -> configuration.put(
                        nested.getTypeName(),
                        map.get(nested.getTypeName()) instanceof List<?> list
                                ? list.stream()
                                        .map(each -> configured(nested.getBlock(), each))
                                        .toList()
                                : configured(nested.getBlock(), map.get(nested.getTypeName()))));
        return configuration;
    }

    private static Map<String, @Nullable Object> with(
            Map<String, @Nullable Object> block, List<String> path, Object value) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(block);
        String name = path.getFirst();
        if (path.size() == 1) {
            changed.put(name, value);
        } else if (changed.get(name) instanceof List<?> blocks && blocks.getFirst() instanceof Map<?, ?> first) {
            List<@Nullable Object> others = new ArrayList<>(blocks);
            others.set(0, with(copy(first), path.subList(1, path.size()), value));
            changed.put(name, others);
        }
        return changed;
    }

    private static Map<String, @Nullable Object> copy(Map<?, ?> block) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        block.forEach((name, value) -> copy.put(String.valueOf(name), value));
        return copy;
    }

    private static List<String> and(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }

    private static DynamicValue dynamic(@Nullable Object value) {
        ByteString bytes = MessagePack.write(value);
        return DynamicValue.newBuilder().setMsgpack(bytes).build();
    }
}
