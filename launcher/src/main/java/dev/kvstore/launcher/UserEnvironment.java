package dev.kvstore.launcher;

import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.OldVariables;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** This process's environment for the programs that it starts, with settings under their present names. Stateless. */
public final class UserEnvironment {
    private static final List<OldNames> NAMES = List.of(OldNames.DATA_PLANE, OldNames.CONTROL_PLANE);

    private UserEnvironment() {}

    /**
     * Reports the new name of each old name of a setting, once.
     *
     * @throws IllegalArgumentException if a setting has two values, one under each name
     */
    public static void warn(Consumer<String> say) {
        renamed(System.getenv(), say);
    }

    /**
     * Replaces old names of settings in the environment of a program that is about to be started; the user was warned.
     */
    public static void replaceOldNames(ProcessBuilder program) {
        Map<String, String> renamed = renamed(program.environment(), _ -> {});
        program.environment().keySet().retainAll(renamed.keySet());
        program.environment().putAll(renamed);
    }

    /** The value that the user gave to a variable, under its present or its old name; null for none. */
    public static @Nullable String value(String variable) {
        return renamed(System.getenv(), _ -> {}).get(variable);
    }

    /**
     * Whether the user gave this setting, by a variable or as an old property for every java; a preset must not
     * contradict it.
     */
    public static boolean gives(String variable) {
        return value(variable) != null
                || NAMES.stream()
                        .flatMap(names -> names.names().entrySet().stream())
                        .anyMatch(name -> OldNames.variable(name.getValue()).equals(variable)
                                && System.getProperty(name.getKey()) != null);
    }

    private static Map<String, String> renamed(Map<String, String> environment, Consumer<String> say) {
        Map<String, String> renamed = environment;
        for (OldNames names : NAMES) {
            renamed = OldVariables.replace(names, renamed, say);
        }
        return renamed;
    }
}
