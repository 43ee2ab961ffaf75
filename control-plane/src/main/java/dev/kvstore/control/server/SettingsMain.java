package dev.kvstore.control.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.settings.FlagTable;
import dev.kvstore.settings.SettingGroup;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;

/** Prints the control plane's part of {@code kv help settings}. */
public final class SettingsMain {
    private SettingsMain() {}

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, UTF_8);
        groups().forEach(group -> out.print(group.lines()));
    }

    static List<SettingGroup> groups() {
        return List.of(
                new SettingGroup(
                        "Control plane: settings",
                        "KVSTORE_NAME=VALUE in the environment (upper case, _ for . and -), or -Dkvstore.NAME=VALUE in"
                                + " JAVA_TOOL_OPTIONS.",
                        SettingList.SETTINGS),
                FlagTable.of(
                        "Control plane: flags of kv control-plane",
                        "kv control-plane FLAG VALUE. A control plane refuses to start, with exit code 2, with a flag"
                                + " that is unknown or cannot be used.",
                        new CommandLine(new Flags())),
                new SettingGroup(
                        "Control plane: environment", "Secrets, besides the settings.", SettingList.VARIABLES));
    }
}
