package dev.kvstore.settings;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes settings for Terraform and Helm, which refuse wrong values before a program starts with them. Stateless. */
final class SettingsJson {
    /** The programs whose settings are environment variables, by the group's title. */
    private static final Map<String, String> PROGRAMS =
            new TreeMap<>(Map.of("Control plane: settings", "control-plane", "Data plane: settings", "data-plane"));

    private static final Pattern RANGE = Pattern.compile("(\\d+)([A-Za-z]*) (?:to (\\d+)([A-Za-z]*)|or more)");

    /** The form of a value, by the type of its setting. Settings of other types are texts. */
    private static final Map<String, String> FORMS = new TreeMap<>(Map.of(
            "number", "^[0-9]+$",
            "size", "^[0-9]+[KMGTP]?$",
            "switch", "^(true|false)$",
            "text", "^[^\\\\n]+$",
            "time", "^[0-9]+(ms|s|m|h|d)$"));

    /** The factors of units, in bytes and milliseconds. */
    private static final Map<String, Long> UNITS = new TreeMap<>(Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("K", 1L << 10),
            Map.entry("M", 1L << 20),
            Map.entry("G", 1L << 30),
            Map.entry("T", 1L << 40),
            Map.entry("P", 1L << 50),
            Map.entry("ms", 1L),
            Map.entry("s", 1_000L),
            Map.entry("m", 60_000L),
            Map.entry("h", 3_600_000L),
            Map.entry("d", 86_400_000L)));

    private SettingsJson() {}

    static String of(List<SettingGroup> groups) {
        return "{\n  \"forms\": " + texts(FORMS) + ",\n  \"units\": "
                + UNITS.entrySet().stream()
                        .map(unit -> quoted(unit.getKey()) + ": " + unit.getValue())
                        .collect(Collectors.joining(", ", "{", "}"))
                + groups.stream()
                        .filter(group -> PROGRAMS.containsKey(group.title()))
                        .map(group ->
                                ",\n  " + quoted(PROGRAMS.getOrDefault(group.title(), "")) + ": " + settings(group))
                        .sorted()
                        .collect(Collectors.joining())
                + "\n}\n";
    }

    private static String settings(SettingGroup group) {
        return group.settings().stream()
                .map(setting -> "    " + quoted(variable(setting.name())) + ": " + texts(fields(setting)))
                .collect(Collectors.joining(",\n", "{\n", "\n  }"));
    }

    private static String variable(String name) {
        return "KVSTORE_" + name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    }

    /** The type, the range in words, and its bounds as texts of whole numbers in bytes or milliseconds. */
    private static Map<String, String> fields(Setting setting) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("type", FORMS.containsKey(setting.type()) ? setting.type() : "text");
        Matcher range = RANGE.matcher(setting.range());
        if (range.matches() && !fields.containsValue("text")) {
            fields.put("range", setting.range());
            fields.put("least", amount(range.group(1), range.group(2)));
            if (range.group(3) != null) {
                fields.put("most", amount(range.group(3), range.group(4)));
            }
        }
        return fields;
    }

    private static String amount(String number, String unit) {
        Long factor = UNITS.get(unit);
        if (factor == null) {
            throw new IllegalArgumentException("no unit of a setting: " + unit);
        }
        return Long.toString(Long.parseLong(number) * factor);
    }

    private static String texts(Map<String, String> texts) {
        return texts.entrySet().stream()
                .map(each -> quoted(each.getKey()) + ": " + quoted(each.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
