package dev.kvstore.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.List;

/** {@code kv help settings}: formats the settings that all programs have printed. Stateless. */
public final class SettingsTable {
    private SettingsTable() {}

    /**
     * Reads the groups from standard input; {@code --markdown} prints the content of docs/operations/all-settings.md,
     * {@code --json} that of deploy/helm/kvstore/settings.json.
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, UTF_8);
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            List<SettingGroup> groups = SettingGroup.parse(in.lines());
            List<String> words = List.of(arguments);
            out.print(
                    words.contains("--markdown")
                            ? MarkdownTable.of(groups)
                            : words.contains("--json") ? SettingsJson.of(groups) : TextTable.of(groups));
        }
    }
}
