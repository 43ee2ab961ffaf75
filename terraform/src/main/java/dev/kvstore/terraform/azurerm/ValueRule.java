package dev.kvstore.terraform.azurerm;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rule for the values of one argument. Thread-safe. */
sealed interface ValueRule {
    /** Stands for some value that azurerm takes. */
    String ANY = "any";

    /**
     * A resource that is tried with a real azurerm.
     *
     * @param arguments by name; {@link #ANY} for any value
     * @param good whether the rule says that azurerm takes it
     */
    record TriedResource(Map<String, String> arguments, boolean good) {
        public TriedResource {
            arguments = Map.copyOf(arguments);
        }
    }

    /** Resources that show whether a real azurerm has this rule, for an argument of that name. */
    List<TriedResource> trials(String name);

    /**
     * Why azurerm refuses the argument, or null.
     *
     * @param block the arguments beside it
     */
    @Nullable
    String refusal(String name, Map<?, ?> block);

    /** One of some words. */
    record OneOf(List<String> words) implements ValueRule {
        public OneOf {
            words = List.copyOf(words);
        }

        @Override
        public @Nullable String refusal(String name, Map<?, ?> block) {
            for (Object value : each(block.get(name))) {
                if (!words.contains(String.valueOf(value))) {
                    return name + " must be one of " + String.join(", ", words) + ", not \"" + value + "\"";
                }
            }
            return null;
        }

        @Override
        public List<TriedResource> trials(String name) {
            boolean numbers = words.stream().allMatch(word -> word.matches("\\d+"));
            return Stream.concat(
                            words.stream().map(word -> new TriedResource(Map.of(name, word), true)),
                            Stream.of(new TriedResource(Map.of(name, numbers ? "987" : "Nonsense"), false)))
                    .toList();
        }
    }

    /** A number between two others, which it may be. */
    record Between(double least, double most) implements ValueRule {
        @Override
        public @Nullable String refusal(String name, Map<?, ?> block) {
            for (Object value : each(block.get(name))) {
                if (value instanceof Number number && (number.doubleValue() < least || number.doubleValue() > most)) {
                    return name + " must be between " + (long) least + " and " + (long) most + ", not " + value;
                }
            }
            return null;
        }

        @Override
        public List<TriedResource> trials(String name) {
            return Stream.of((long) least - 1, (long) least, (long) most, (long) most + 1)
                    .filter(value -> Math.abs(value) <= Integer.MAX_VALUE)
                    .map(value -> new TriedResource(
                            Map.of(name, Long.toString(value)), value >= (long) least && value <= (long) most))
                    .toList();
        }
    }

    /** A text of some form. */
    record Matches(Pattern form) implements ValueRule {
        @Override
        public @Nullable String refusal(String name, Map<?, ?> block) {
            for (Object value : each(block.get(name))) {
                if (!form.matcher(String.valueOf(value)).matches()) {
                    return name + " must be of the form " + form + ", not \"" + value + "\"";
                }
            }
            return null;
        }

        @Override
        public List<TriedResource> trials(String name) {
            return SampleTexts.ALL.stream()
                    .map(text -> new TriedResource(
                            Map.of(name, text), form.matcher(text).matches()))
                    .toList();
        }
    }

    /**
     * Something that another argument must, or must not, be where this one is set.
     *
     * @param value of this argument, for which the rule holds; null for any
     * @param other the argument beside it
     * @param wanted the required value of the other argument; null for "set"
     * @param not whether the other must not be that
     */
    record Beside(
            @Nullable String value, String other, @Nullable String wanted, boolean not) implements ValueRule {
        @Override
        public @Nullable String refusal(String name, Map<?, ?> block) {
            if (isUnknown(block.get(name)) || isUnknown(block.get(other))) {
                return null;
            }
            boolean holds = is(block.get(name), value);
            if (!holds || is(block.get(other), wanted) != not) {
                return null;
            }
            String be = wanted == null ? "set" : "\"" + wanted + "\"";
            return name
                    + (value == null ? "" : " = \"" + value + "\"")
                    + (not ? " cannot be where " : " needs ")
                    + other
                    + (not ? " is " : " to be ")
                    + be;
        }

        @Override
        public List<TriedResource> trials(String name) {
            String here = Objects.requireNonNullElse(value, ANY);
            String there = Objects.requireNonNullElse(wanted, ANY);
            TriedResource both = new TriedResource(Map.of(name, here, other, there), !not);
            TriedResource alone = new TriedResource(Map.of(name, here), not);
            return not ? List.of(both, alone, new TriedResource(Map.of(other, there), true)) : List.of(both, alone);
        }

        private static boolean is(@Nullable Object value, @Nullable String wanted) {
            boolean set = value != null && !(value instanceof List<?> list && list.isEmpty());
            return wanted == null ? set : set && wanted.equals(String.valueOf(value));
        }
    }

    private static boolean isUnknown(@Nullable Object value) {
        return value == MessagePack.UNKNOWN;
    }

    /** The known values of an argument. */
    private static List<?> each(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream()
                    .filter(each -> each != null && !isUnknown(each))
                    .toList();
        }
        return value == null || isUnknown(value) ? List.of() : List.of(value);
    }

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException if it is none
     */
    static ValueRule of(String text) {
        Matcher beside = Pattern.compile("(?:(\\S+) )?(needs|not with) (\\w+)(?: (\\S+))?")
                .matcher(text);
        if (text.startsWith("one of ")) {
            return new OneOf(List.of(text.substring("one of ".length()).split(", *")));
        }
        if (text.startsWith("matches ")) {
            return new Matches(Pattern.compile(text.substring("matches ".length())));
        }
        Matcher between = Pattern.compile("between (-?\\d+) and (-?\\d+)").matcher(text);
        if (between.matches()) {
            return new Between(Double.parseDouble(between.group(1)), Double.parseDouble(between.group(2)));
        }
        if (beside.matches()) {
            return new Beside(
                    beside.group(1),
                    beside.group(3),
                    beside.group(4),
                    beside.group(2).equals("not with"));
        }
        throw new IllegalArgumentException(
                "a rule is \"one of A, B\", \"between 1 and 2\", \"matches FORM\", \"[VALUE] needs OTHER [VALUE]\" or"
                        + " \"[VALUE] not with OTHER [VALUE]\", not \"" + text + "\"");
    }
}
