package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.azurerm.AllowedValues.RuleLine;
import dev.kvstore.terraform.azurerm.ValueRule.Between;
import dev.kvstore.terraform.azurerm.ValueRule.Matches;
import dev.kvstore.terraform.azurerm.ValueRule.OneOf;
import dev.kvstore.terraform.azurerm.ValueRule.TriedResource;
import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tries each rule of the table with a real azurerm: resources that have nothing but the required arguments and one
 * more, once as the rule allows it and once as it does not. For one thread.
 */
final class TableTrial {
    // As in: expected sku to be one of ["Basic" "Standard"], got Nonsense
    private static final Pattern WORDS = Pattern.compile("to be one of \\[([^\\]]*)\\]");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|([^\" ]+)");

    private final AllowedValues table;
    private final GetProviderSchema.Response schemas;
    private final AzurermClient azurerm;
    private final List<String> disagreements = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param schemas of that azurerm
     */
    TableTrial(AllowedValues table, GetProviderSchema.Response schemas, AzurermClient azurerm) {
        this.table = table;
        this.schemas = schemas;
        this.azurerm = azurerm;
    }

    /** Where the table and azurerm do not agree, with the table's line. */
    List<String> disagreements() {
        disagreements.clear();
        for (String type : new TreeSet<>(table.lines().keySet())) {
            if (!schemas.containsResourceSchemas(type)) {
                disagreements.add(type + ": azurerm does not have it");
                continue;
            }
            Block block = schemas.getResourceSchemasOrThrow(type).getBlock();
            for (RuleLine line : table.lines().getOrDefault(type, List.of())) {
                try {
                    compare(type, block, line);
                } catch (IllegalArgumentException e) {
                    say(type, line, String.valueOf(e.getMessage()));
                }
            }
        }
        return List.copyOf(disagreements);
    }

    private void compare(String type, Block block, RuleLine line) {
        List<TriedResource> trials = line.rule().trials(line.path().getLast());
        if (line.rule() instanceof ValueRule.Beside) {
            Set<String> known = new LinkedHashSet<>();
            trials.stream().filter(TriedResource::good).forEach(good -> known.addAll(errors(type, block, line, good)));
            TriedResource wrong =
                    trials.stream().filter(trial -> !trial.good()).findFirst().orElseThrow();
            Set<String> errors = without(errors(type, block, line, wrong), known);
            judge(type, line, wrong, errors);
            judgeMark(type, line, errors.isEmpty());
            return;
        }
        // The refusals by azurerm of the arguments around it, once without the argument and once with an unknown value.
        String name = line.path().getLast();
        Set<String> known = new LinkedHashSet<>();
        for (Object none : List.of(LeastResource.UNSET, MessagePack.UNKNOWN)) {
            known.addAll(azurerm.errors(type, with(type, block, line, Map.of(name, none))));
        }
        boolean taken = false;
        for (TriedResource trial : trials) {
            Map<String, Object> beside = needed(type, line, trial.arguments());
            Map<String, Object> all = new HashMap<>(beside);
            all.putAll(trial.arguments());
            beside.put(name, LeastResource.UNSET);
            Set<String> errors = without(azurerm.errors(type, with(type, block, line, all)), known);
            if (all.size() > 1) {
                errors = without(errors, azurerm.errors(type, with(type, block, line, beside)));
            }
            judge(type, line, trial, errors);
            taken |= !trial.good() && errors.isEmpty();
            if (!trial.good() && line.rule() instanceof OneOf rule) {
                Set<String> more = words(errors);
                rule.words().forEach(more::remove);
                if (!more.isEmpty()) {
                    say(type, line, "azurerm takes " + String.join(", ", more) + " as well");
                }
            }
        }
        judgeMark(type, line, taken);
    }

    /** A rule is marked if azurerm takes something that it does not allow. */
    private void judgeMark(String type, RuleLine line, boolean taken) {
        if (line.later() && !taken) {
            say(type, line, "azurerm refuses all of it already when it validates: the mark behind the rule is wrong");
        }
    }

    /** The arguments that azurerm requires beside those of a trial. */
    private Map<String, Object> needed(String type, RuleLine line, Map<String, String> arguments) {
        Map<String, Object> all = new HashMap<>();
        for (RuleLine other : table.lines().getOrDefault(type, List.of())) {
            if (other.path().equals(line.path()) && other.rule() instanceof ValueRule.Beside rule && !rule.not()) {
                String value = rule.value();
                if (value == null || arguments.containsValue(value)) {
                    all.put(rule.other(), Objects.requireNonNullElse(rule.wanted(), ValueRule.ANY));
                }
            }
        }
        return all;
    }

    private void judge(String type, RuleLine line, TriedResource trial, Set<String> errors) {
        if (trial.good() && !errors.isEmpty()) {
            say(type, line, "azurerm refuses " + trial.arguments() + ": " + errors);
        } else if (!trial.good() && errors.isEmpty() && !line.later()) {
            say(type, line, "azurerm takes " + trial.arguments());
        }
    }

    private void say(String type, RuleLine line, String what) {
        disagreements.add(
                "azurerm.values:" + line.number() + ": " + type + " " + String.join(".", line.path()) + ": " + what);
    }

    private Set<String> errors(String type, Block block, RuleLine line, TriedResource trial) {
        return azurerm.errors(type, with(type, block, line, trial.arguments()));
    }

    private Map<String, @Nullable Object> with(String type, Block block, RuleLine line, Map<String, ?> arguments) {
        Map<String, @Nullable Object> resource = LeastResource.of(block);
        List<String> around = line.path().subList(0, line.path().size() - 1);
        if (!around.isEmpty()) {
            resource = LeastResource.with(block, resource, around, ValueRule.ANY);
        }
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            List<String> path = new ArrayList<>(around);
            path.add(argument.getKey());
            Object value = argument.getValue().equals(ValueRule.ANY) ? any(type, block, path) : argument.getValue();
            resource = LeastResource.with(block, resource, path, value);
        }
        return resource;
    }

    /** A value that azurerm takes, as far as the table knows. */
    private String any(String type, Block block, List<String> path) {
        for (RuleLine line : table.lines().getOrDefault(type, List.of())) {
            if (line.path().equals(path)) {
                switch (line.rule()) {
                    case OneOf rule -> {
                        return rule.words().getFirst();
                    }
                    case Between rule -> {
                        return Long.toString((long) rule.least());
                    }
                    case Matches rule -> {
                        return SampleTexts.ALL.stream()
                                .filter(text -> rule.form().matcher(text).matches())
                                .findFirst()
                                .orElse("x");
                    }
                    case ValueRule.Beside _ -> {
                        // Says nothing of the value.
                    }
                }
            }
        }
        Optional<Attribute> attribute = LeastResource.find(block, path);
        String of = attribute.map(each -> LeastResource.type(each).toString()).orElse("");
        return of.contains("bool") ? "true" : of.contains("number") ? "1" : "x";
    }

    private static Set<String> without(Set<String> errors, Set<String> known) {
        return errors.stream()
                .filter(error -> !known.contains(error))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Set<String> words(Set<String> errors) {
        Set<String> words = new TreeSet<>();
        for (String error : errors) {
            Matcher list = WORDS.matcher(error);
            if (list.find()) {
                WORD.matcher(list.group(1))
                        .results()
                        .map((MatchResult word) -> word.group(1) == null ? word.group(2) : word.group(1))
                        .forEach(words::add);
            }
        }
        return words;
    }
}
