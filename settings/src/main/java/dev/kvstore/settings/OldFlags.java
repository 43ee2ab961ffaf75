package dev.kvstore.settings;

import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine;

/** Replaces old names of flags on a command line that has not been read yet. Stateless. */
public final class OldFlags {
    private static final Map<String, String> NAMES = Map.of(
            "--storage-latency", "--added-storage-latency",
            "--dram", "--memory-tier-size",
            "--disk", "--disk-tier-size",
            "--endpoints", "--storage-endpoints");

    private OldFlags() {}

    /**
     * The arguments with new names in place of the old names of flags that the command has only under the new name.
     *
     * @param warning gets each old name once, with the new one
     */
    public static String[] replace(CommandLine program, String[] arguments, Consumer<String> warning) {
        String[] replaced = arguments.clone();
        CommandLine command = program;
        for (int i = 0; i < replaced.length; i++) {
            CommandLine below = command.getSubcommands().get(replaced[i]);
            if (below != null) {
                command = below;
                continue;
            }
            String[] parts = replaced[i].split("=", 2);
            String name = NAMES.get(parts[0]);
            if (name != null && has(command, name) && !has(command, parts[0])) {
                replaced[i] = parts.length == 1 ? name : name + "=" + parts[1];
                warning.accept("%s: %s is now called %s; version %s will refuse the old name"
                        .formatted(command.getCommandSpec().qualifiedName(), parts[0], name, OldNames.REFUSED_FROM));
            }
        }
        return replaced;
    }

    private static boolean has(CommandLine command, String flag) {
        return command.getCommandSpec().optionsMap().containsKey(flag);
    }
}
