package dev.kvstore.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of a command in the table of all settings, in the words of the command's help. Stateless. */
public final class FlagTable {
    // The text about a default in the help, at the end of a sentence or as a sentence.
    private static final Pattern STANDARD =
            Pattern.compile(" \\(default:? (?<in>[^()]*)\\)| Default: (?<as>.+?)\\.(?= |$)");

    private FlagTable() {}

    /** The flags that a command's help shows, except its own {@code --help} and {@code --version}. */
    public static SettingGroup of(String title, String how, CommandLine command) {
        return new SettingGroup(title, how, flags(command));
    }

    /** The flags of a command, without a group. */
    public static List<Setting> flags(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
                .map(FlagTable::flag)
                .toList();
    }

    private static Setting flag(OptionSpec option) {
        String text = String.join(" ", option.description()).replace("%%", "%").replace("%n", " ");
        Matcher said = STANDARD.matcher(text);
        boolean tells = said.find();
        String standard = given(option);
        if (standard.isEmpty() && tells) {
            standard = said.group("in") == null ? said.group("as") : said.group("in");
        }
        return new Setting(option.longestName(), type(option), standard, "", tells ? said.replaceFirst("") : text, "");
    }

    private static String type(OptionSpec option) {
        Class<?> type = option.type();
        if (type == boolean.class || type == Boolean.class) {
            return "switch";
        }
        String label = option.paramLabel();
        if (!label.startsWith("<")) {
            return label;
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return "number";
        }
        return Path.class.isAssignableFrom(type) ? "path" : "text";
    }

    /** The default that picocli applies. */
    private static String given(OptionSpec option) {
        String value = option.defaultValue();
        return value == null || option.type() == boolean.class ? "" : value;
    }
}
