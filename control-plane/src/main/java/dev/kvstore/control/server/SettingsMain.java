package dev.kvstore.control.server;

import dev.kvstore.settings.FlagTable;
import dev.kvstore.settings.Setting;
import dev.kvstore.settings.SettingGroup;
import java.util.List;
import picocli.CommandLine;

/** Prints the control plane's part of {@code kv help settings}. */
public final class SettingsMain {
    /** The environment variables by name. */
    static final List<Setting> VARIABLES = List.of(
            new Setting(
                    "KVSTORE_ADMIN_TOKEN",
                    "text",
                    "none",
                    "kva_ and 16 characters or more",
                    "Token of one platform admin, for a start and for machines without an identity provider. Without"
                            + " it, only tokens of the OpenID Connect provider are accepted.",
                    ""),
            new Setting(
                    "KVSTORE_DB_PASSWORD",
                    "text",
                    "empty",
                    "",
                    "Password for the database of --jdbc-url. With a wrong one the control plane ends with exit code"
                            + " 1.",
                    ""),
            new Setting("KVSTORE_DB_USER", "text", "empty", "", "User of the database of --jdbc-url.", ""),
            new Setting(
                    "KVSTORE_JOIN_TOKEN",
                    "text",
                    "none",
                    "16 characters or more",
                    "Makes its bearer a data plane of any cluster: for a first start and for benchmarks. Leave it unset, and"
                            + " give each cluster join tokens (kv admin create join-token).",
                    ""));

    private SettingsMain() {}

    public static void main(String[] arguments) {
        SettingGroup.print(groups());
    }

    static List<SettingGroup> groups() {
        return List.of(
                new SettingGroup(
                        "Control plane: settings",
                        "KVSTORE_NAME=VALUE in the environment (upper case, _ for . and -), or -Dkvstore.NAME=VALUE in"
                                + " JAVA_TOOL_OPTIONS.",
                        ControlPlaneSettings.DECLARED.table()),
                FlagTable.of(
                        "Control plane: flags of kv control-plane",
                        "kv control-plane FLAG VALUE. A control plane refuses to start, with exit code 2, with a flag"
                                + " that is unknown or cannot be used.",
                        new CommandLine(new Flags())),
                new SettingGroup("Control plane: environment", "Secrets, besides the settings.", VARIABLES));
    }
}
