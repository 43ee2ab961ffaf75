package dev.kvstore.launcher.command;

import dev.kvstore.settings.FlagTable;
import dev.kvstore.settings.Setting;
import dev.kvstore.settings.SettingGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Prints the part of {@code kv}'s own verbs in {@code kv help settings}. */
public final class SettingsMain {
    private static final String REFUSED = " A flag that is unknown or cannot be used is refused with exit code 2.";

    private SettingsMain() {}

    public static void main(String[] arguments) {
        SettingGroup.print(groups(Launcher.commandLine()));
    }

    static List<SettingGroup> groups(CommandLine kv) {
        CommandLine node = command(kv, "node");
        return List.of(
                FlagTable.of("kv up: flags", "kv up FLAG VALUE." + REFUSED, command(kv, "up")),
                FlagTable.of(
                        "kv node up: flags",
                        "kv node up FLAG VALUE; every other flag goes to each data plane." + REFUSED,
                        command(node, "up")),
                FlagTable.of(
                        "kv node secrets: flags", "kv node secrets FLAG VALUE." + REFUSED, command(node, "secrets")),
                new SettingGroup(
                        "kv admin: flags",
                        "kv admin VERB FLAG VALUE; a flag without a verb here is one of several verbs." + REFUSED,
                        shared(command(kv, "admin"))),
                new SettingGroup("kv: environment", "NAME=VALUE in the environment of kv.", VariableList.VARIABLES));
    }

    /**
     * The flags of all verbs below {@code kv admin}: once if several verbs share a flag, else after the verb's name.
     */
    private static List<Setting> shared(CommandLine admin) {
        Map<Setting, List<String>> verbs = new LinkedHashMap<>();
        collect(admin, "", verbs);
        return verbs.entrySet().stream()
                .map(flag -> flag.getValue().size() > 1
                        ? flag.getKey()
                        : renamed(
                                flag.getKey(),
                                flag.getValue().getFirst() + " " + flag.getKey().name()))
                .toList();
    }

    private static void collect(CommandLine command, String verb, Map<Setting, List<String>> verbs) {
        FlagTable.flags(command)
                .forEach(flag ->
                        verbs.computeIfAbsent(flag, _ -> new ArrayList<>()).add(verb));
        command.getSubcommands().forEach((name, below) -> collect(below, (verb + " " + name).strip(), verbs));
    }

    private static Setting renamed(Setting flag, String name) {
        return new Setting(name, flag.type(), flag.standard(), flag.range(), flag.bounds(), flag.reached());
    }

    private static CommandLine command(CommandLine parent, String name) {
        CommandLine command = parent.getSubcommands().get(name);
        if (command == null) {
            throw new IllegalStateException("kv has no verb " + name);
        }
        return command;
    }
}
