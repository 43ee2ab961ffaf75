package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.settings.FlagTable;
import dev.kvstore.settings.Setting;
import dev.kvstore.settings.SettingGroup;
import java.util.List;
import picocli.CommandLine;

/** Prints the data plane's part of {@code kv help settings}. */
public final class SettingsMain {
    private SettingsMain() {}

    public static void main(String[] arguments) {
        SettingGroup.print(groups());
    }

    static List<SettingGroup> groups() {
        return List.of(
                new SettingGroup(
                        "Data plane: settings",
                        "KVSTORE_NAME=VALUE in the environment (upper case, _ for -), or -Dkvstore.NAME=VALUE in"
                                + " JAVA_TOOL_OPTIONS. Sizes take K, M, G, T (powers of 1024; bytes without one), times"
                                + " ms, s, m, h, d. A data plane refuses to start with a setting that is unknown or out of"
                                + " range.",
                        DataPlaneSettings.DECLARED.table()),
                FlagTable.of(
                        "Data plane: flags of kv node",
                        "kv node FLAG VALUE. A data plane refuses to start, with exit code 2, with a flag that is"
                                + " unknown or cannot be used.",
                        new CommandLine(new Flags())),
                new SettingGroup(
                        "Data plane: environment",
                        "Besides settings, and the variables that storage credentials env:NAME name.",
                        List.of(new Setting(
                                JoinToken.VARIABLE,
                                "text",
                                "none",
                                "visible ASCII, no spaces",
                                "Join token of this data plane's cluster; --join-token-file is the other way.",
                                ""))));
    }
}
