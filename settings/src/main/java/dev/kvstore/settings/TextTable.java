package dev.kvstore.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes settings for a terminal. Stateless. */
final class TextTable {
    private static final int COLUMNS = 120;

    private TextTable() {}

    static String of(List<SettingGroup> groups) {
        StringBuilder text = new StringBuilder();
        for (SettingGroup group : groups) {
            text.append(group.title().toUpperCase(Locale.ROOT)).append('\n');
            wrap(text, "  ", group.how());
            text.append('\n');
            group.settings().forEach(setting -> append(text, setting));
            text.append('\n');
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Setting setting) {
        List<String> facts = new ArrayList<>(List.of(setting.type()));
        if (!setting.range().isEmpty()) {
            facts.add(setting.range());
        }
        if (!setting.standard().isEmpty()) {
            facts.add("default " + setting.standard());
        }
        wrap(text, "  ", setting.name() + "  (" + String.join("; ", facts) + ")");
        wrap(text, "      ", setting.bounds());
        if (!setting.reached().isEmpty()) {
            wrap(text, "      ", "At the bound: " + setting.reached());
        }
    }

    /** Adds words in lines. A word that is longer than a line gets a line of its own. */
    private static void wrap(StringBuilder text, String indent, String words) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : words.split(" ", -1)) {
            if (line.length() > indent.length() && line.length() + 1 + word.length() > COLUMNS) {
                text.append(line).append('\n');
                line = new StringBuilder(indent);
            }
            line.append(line.length() > indent.length() ? " " : "").append(word);
        }
        text.append(line).append('\n');
    }
}
