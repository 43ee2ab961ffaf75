package dev.kvstore.launcher.command;

import dev.kvstore.settings.Setting;
import java.util.List;

/** The environment variables that {@code kv} and its own verbs read. */
final class VariableList {
    static final List<Setting> VARIABLES = List.of(
            variable("JAVA_HOME", "path", "the java on the PATH", "JDK that runs everything, 25 or newer."),
            variable(
                    "JAVA_TOOL_OPTIONS",
                    "text",
                    "none",
                    "Flags for every java that kv starts, as -Xmx8g; java reads them."),
            variable(
                    "KVSTORE_ADMIN_TOKEN",
                    "text",
                    "target/kv-up/admin-token",
                    "Token of kv admin; --token-file wins over it."),
            variable(
                    "KVSTORE_URL",
                    "URL",
                    "http://127.0.0.1:8080",
                    "REST address of the control plane for kv admin; --url wins over it."),
            variable("KV_API_KEY", "text", "none", "API key for kv bench sweep --endpoint; --key-file wins over it."),
            variable(
                    "KV_JDK_PLACES",
                    "paths",
                    "/usr/lib/jvm/*, /opt/* and others",
                    "Folders, with * and parted by colons, where kv looks for a JDK if JAVA_HOME and the PATH have"
                            + " none."),
            variable(
                    "KV_NUMA_ROOT",
                    "path",
                    "/",
                    "For tests: folder with sys and proc of a recorded machine, for kv node."),
            variable("KV_SKIP_BUILD", "switch", "empty", "With any value, kv runs what is built and builds nothing."));

    private VariableList() {}

    private static Setting variable(String name, String type, String standard, String bounds) {
        return new Setting(name, type, standard, "", bounds, "");
    }
}
