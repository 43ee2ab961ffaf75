package dev.kvstore.settings;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server, as an interface declares them: a method for each, with its name, type and default as
 * {@link io.smallrye.config.ConfigMapping} has them, and the rest as {@link Described} has it. Immutable.
 *
 * @param <S> the interface
 */
public final class DeclaredSettings<S> {
    public static final String PREFIX = "kvstore.";

    private final Class<S> settings;

    /** The described methods, in the order of their names. */
    private final List<Method> methods;

    public DeclaredSettings(Class<S> settings) {
        this.settings = settings;
        this.methods = Stream.of(settings.getMethods())
                .filter(method -> method.isAnnotationPresent(Described.class))
                .sorted(Comparator.comparing(DeclaredSettings::name))
                .toList();
    }

    /** The settings that have a description, by names such as {@code kvstore.memory-tier-size}. */
    public Set<String> names() {
        return methods.stream().map(DeclaredSettings::name).collect(Collectors.toUnmodifiableSet());
    }

    /** The ranges of the described settings that are no paths. */
    public List<SettingRange> ranges() {
        return methods.stream()
                .filter(method -> type(method) != Path.class)
                .map(DeclaredSettings::range)
                .toList();
    }

    /** The described settings, as the table of all settings has them. */
    public List<Setting> table() {
        return methods.stream().map(DeclaredSettings::setting).toList();
    }

    /** The settings of these sources, without a check of names and ranges. */
    public S read(SmallRyeConfigBuilder sources) {
        return SettingRange.withConverters(sources)
                .withMapping(settings)
                .withValidateUnknown(false)
                .build()
                .getConfigMapping(settings);
    }

    /** The flaws of values that are out of range, by the names under which they were given. */
    public List<String> flaws(SmallRyeConfig given) {
        return ranges().stream()
                .map(range -> flaw(range, given.getConfigValue(range.name())))
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable String flaw(SettingRange range, ConfigValue given) {
        boolean variable = EnvConfigSource.NAME.equals(given.getConfigSourceName());
        return given.getRawValue() == null
                ? null
                : range.flaw(variable ? OldNames.variable(range.name()) : range.name(), given.getRawValue());
    }

    private static Described described(Method method) {
        return Objects.requireNonNull(method.getAnnotation(Described.class));
    }

    private static String name(Method method) {
        WithName name = method.getAnnotation(WithName.class);
        return PREFIX
                + (name != null
                        ? name.value()
                        : method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }

    /** The type of a setting's values, whether or not the setting may be left out. */
    private static Class<?> type(Method method) {
        return method.getGenericReturnType() instanceof ParameterizedType optional
                ? (Class<?>) optional.getActualTypeArguments()[0]
                : method.getReturnType();
    }

    private static SettingRange range(Method method) {
        return SettingRange.of(name(method), type(method), described(method));
    }

    private static Setting setting(Method method) {
        Described described = described(method);
        WithDefault standard = method.getAnnotation(WithDefault.class);
        boolean path = type(method) == Path.class;
        return new Setting(
                name(method).substring(PREFIX.length()),
                path ? "path" : range(method).type(),
                standard == null ? described.unset() : standard.value(),
                path ? "" : range(method).span(),
                described.bounds(),
                described.reached());
    }
}
