package dev.kvstore.settings;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.microprofile.config.spi.Converter;
import org.jspecify.annotations.Nullable;

/**
 * The values that an operator may give a setting. Immutable.
 *
 * @param name of the setting, as {@code kvstore.memory-tier-size}
 * @param type of the values, in a word
 * @param reader throws {@link IllegalArgumentException} on a text that is no such value
 * @param form the form of a value, for people
 * @param least the least value; empty if the values have no order
 * @param most the largest value; empty if there is none but that of the Java type
 */
public record SettingRange(
        String name, String type, Function<String, Object> reader, String form, String least, String most) {
    private static final String SWITCH = "true or false";

    /** The words for true and false that the configuration library knows; it takes any other word for false. */
    private static final Set<String> SWITCHES =
            Set.of("true", "t", "yes", "y", "on", "1", "false", "f", "no", "n", "off", "0");

    private static final SmallRyeConfig READER =
            withConverters(new SmallRyeConfigBuilder()).build();

    /** Lets sizes and times be read before Quarkus runs. */
    static SmallRyeConfigBuilder withConverters(SmallRyeConfigBuilder sources) {
        return sources.withConverters(new Converter<?>[] {new MemorySizeConverter(), new DurationConverter()});
    }

    /**
     * The range of a setting.
     *
     * @param javaClass the type of its values: one of those below, or a type with a {@code static} method {@code of(String)}
     */
    static SettingRange of(String name, Class<?> javaClass, Described described) {
        String least = described.least();
        String most = described.most();
        if (javaClass == MemorySize.class) {
            return new SettingRange(name, "size", SettingRange::bytes, "a size such as 512M", least, most);
        }
        if (javaClass == Duration.class) {
            return new SettingRange(name, "time", as(Duration.class), "a time such as 30s", least, most);
        }
        if (javaClass == int.class && most.isEmpty()) {
            String form = "a number up to " + Integer.MAX_VALUE;
            return new SettingRange(name, "number", Integer::valueOf, form, least, most);
        }
        if (javaClass == int.class || javaClass == long.class) {
            return new SettingRange(name, "number", BigInteger::new, "a number", least, most);
        }
        if (javaClass == boolean.class) {
            return new SettingRange(name, "switch", oneOf(SWITCHES), SWITCH, least, most);
        }
        if (javaClass == String.class) {
            return least.isEmpty()
                    ? new SettingRange(name, "text", text -> text, "a text", least, most)
                    : new SettingRange(
                            name, described.type(), oneOf(Set.of(least, most)), described.form(), least, most);
        }
        return new SettingRange(name, described.type(), as(javaClass), described.form(), least, most);
    }

    private static BigInteger bytes(String size) {
        return READER.requireConverter(MemorySize.class).convert(size).asBigInteger();
    }

    private static Function<String, Object> as(Class<?> javaClass) {
        return text -> READER.requireConverter(javaClass).convert(text);
    }

    private static Function<String, Object> oneOf(Set<String> values) {
        return text -> {
            if (values.contains(text.toLowerCase(Locale.ROOT))) {
                return text;
            }
            throw new IllegalArgumentException(text);
        };
    }

    /** The range, for people; empty if the values have no order. */
    public String span() {
        if (form.equals(SWITCH)) {
            return form;
        }
        return most.isEmpty() ? least + (least.isEmpty() ? "" : " or more") : least + " to " + most;
    }

    /**
     * The flaw of a value, with the values that would be right; null if the value can be used.
     *
     * @param spelling the setting's name as the operator spelt it
     */
    public @Nullable String flaw(String spelling, String given) {
        if (given.isBlank()) {
            return spelling + ": must not be empty; give " + form;
        }
        try {
            Object value = reader.apply(given.strip());
            boolean within = (least.isEmpty() || compare(value, reader.apply(least)) >= 0)
                    && (most.isEmpty() || compare(value, reader.apply(most)) <= 0);
            return within ? null : "%s: must be %s, not %s".formatted(spelling, span(), given);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return "%s: cannot be \"%s\"; give %s".formatted(spelling, given, form);
        }
    }

    @SuppressWarnings("unchecked") // values with an order compare with those of the same setting
    private static int compare(Object left, Object right) {
        return ((Comparable<Object>) left).compareTo(right);
    }
}
