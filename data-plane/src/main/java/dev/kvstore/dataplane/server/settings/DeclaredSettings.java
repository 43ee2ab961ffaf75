package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.Setting;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings that {@link DataPlaneSettings} declares and describes. Stateless. */
final class DeclaredSettings {
    static final String PREFIX = "kvstore.";

    /** The names of all settings. */
    static final Set<String> NAMES = methods().map(DeclaredSettings::name).collect(Collectors.toUnmodifiableSet());

    private DeclaredSettings() {}

    /** The ranges of the settings that have one. */
    static List<SettingRange<?>> ranges() {
        return methods()
                .filter(method -> !isPath(method))
                .<SettingRange<?>>map(DeclaredSettings::range)
                .toList();
    }

    /** The settings, as the table of all settings has them. */
    static List<Setting> table() {
        return methods().map(DeclaredSettings::setting).toList();
    }

    /** The methods, in the order of their names. */
    private static Stream<Method> methods() {
        return Stream.of(DataPlaneSettings.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Described.class))
                .sorted(Comparator.comparing(DeclaredSettings::name));
    }

    private static Described described(Method method) {
        return Objects.requireNonNull(method.getAnnotation(Described.class));
    }

    private static String name(Method method) {
        return PREFIX + method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static boolean isPath(Method method) {
        return method.getGenericReturnType().getTypeName().contains(Path.class.getName());
    }

    private static SettingRange<?> range(Method method) {
        Class<?> type = method.getReturnType();
        String name = name(method);
        String least = described(method).least();
        String most = described(method).most();
        if (type == MemorySize.class) {
            return SettingRange.size(name, least, most);
        }
        if (type == Duration.class) {
            return SettingRange.time(name, least, most);
        }
        if (type == int.class || type == long.class) {
            return SettingRange.count(name, least, most);
        }
        if (least.isEmpty()) {
            return type == Optional.class ? SettingRange.proxy(name) : SettingRange.networks(name);
        }
        return type == Optional.class
                ? SettingRange.latency(name, least, most)
                : SettingRange.choice(name, least, most);
    }

    private static Setting setting(Method method) {
        Described described = described(method);
        @Nullable WithDefault standard = method.getAnnotation(WithDefault.class);
        boolean path = isPath(method);
        return new Setting(
                name(method).substring(PREFIX.length()),
                path ? "path" : range(method).type(),
                standard == null ? described.unset() : standard.value(),
                path ? "" : range(method).span(),
                described.bounds(),
                described.reached());
    }
}
