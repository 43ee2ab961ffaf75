package dev.kvstore.settings;

import dev.kvstore.settings.OldNames.GivenValue;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Replaces old names of settings among environment variables, for programs that start others. Stateless. */
public final class OldVariables {
    private OldVariables() {}

    /**
     * An environment with the new names in place of the old.
     *
     * @param warning gets each old name once, with the new one
     * @throws IllegalArgumentException if a setting has two values, one under each name
     */
    public static Map<String, String> replace(
            OldNames names, Map<String, String> environment, Consumer<String> warning) {
        Map<String, String> replaced = new HashMap<>(environment);
        names.accept(name -> find(environment, name), warning)
                .forEach((name, value) -> replaced.put(OldNames.variable(name), value));
        names.names().keySet().forEach(old -> {
            replaced.remove(OldNames.variable(old));
            replaced.remove(OldNames.variable(old).toLowerCase(Locale.ROOT));
        });
        return replaced;
    }

    private static @Nullable GivenValue find(Map<String, String> environment, String name) {
        String variable = OldNames.variable(name);
        String value = environment.get(variable);
        if (value == null) {
            value = environment.get(variable.toLowerCase(Locale.ROOT));
        }
        return value == null ? null : GivenValue.variable(name, value);
    }
}
