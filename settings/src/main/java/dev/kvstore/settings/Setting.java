package dev.kvstore.settings;

import java.util.List;

/**
 * A setting in the table of all settings. Immutable.
 *
 * @param type the type with its unit, such as {@code size} or {@code milliseconds}
 * @param standard the default; empty for none
 * @param range the range of values; empty if the texts contain it
 * @param bounds the bound or purpose of the setting, as sentences
 * @param reached the effect that a user sees when that bound is reached, as sentences; empty if the setting is no limit
 */
public record Setting(String name, String type, String standard, String range, String bounds, String reached) {
    private static final String GAP = "\t";

    /** @throws IllegalArgumentException if the setting has no name, type or text, or a text is more than a line */
    public Setting {
        List.of(name, type, bounds).forEach(text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("setting \"" + name + "\" has no name, type or text");
            }
        });
        List.of(name, type, standard, range, bounds, reached).forEach(text -> {
            if (text.contains(GAP) || text.contains("\n")) {
                throw new IllegalArgumentException("setting \"" + name + "\" has a text of more than one line");
            }
        });
    }

    /** The setting as one line, for programs. */
    String line() {
        return String.join(GAP, name, type, standard, range, bounds, reached);
    }

    /** @throws IllegalArgumentException if the line is no setting */
    static Setting parse(String line) {
        String[] parts = line.split(GAP, -1);
        if (parts.length != 6) {
            throw new IllegalArgumentException("no setting: " + line);
        }
        return new Setting(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
    }
}
