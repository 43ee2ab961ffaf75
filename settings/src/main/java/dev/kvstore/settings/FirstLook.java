package dev.kvstore.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help in two lengths: {@code --help} is a first look that fits a screen, {@code --help-all} is everything. If
 * everything fits a screen, both are the same. Stateless.
 */
public final class FirstLook {
    /** The most lines of a first look. */
    public static final int LINES = 25;

    /** The most characters of a line that is not a flag's name. */
    public static final int COLUMNS = 100;

    private static final String HELP = "--help";
    private static final String ALL = "--help-all";
    private static final String SECTION = "help";
    private static final int NAME_COLUMNS = 30;

    /** Ends of sentences: a text that is cut there is true without the rest. */
    private static final List<String> SENTENCES = List.of(". ", "; ");

    /** Where a text may be cut that says so. */
    private static final List<String> WORDS = List.of(" ");

    private static final String MORE = " ...";

    private static final Pattern STANDARD =
            Pattern.compile("(?: \\(default:? (?<in>[^()]*)\\)| ?Default: (?<as>.+?)\\.(?= |$))");

    private FirstLook() {}

    /** Makes a program and all its commands answer {@code --help} with a first look. */
    public static CommandLine on(CommandLine line) {
        return show(line, false);
    }

    /**
     * The arguments for a program, with {@code --help} in place of {@code --help-all}; the program then answers in
     * full.
     *
     * @param line the program that {@link #on} has changed
     */
    public static String[] arguments(CommandLine line, String[] arguments) {
        if (!List.of(arguments).contains(ALL)) {
            return arguments;
        }
        show(line, true);
        return Arrays.stream(arguments)
                .map(argument -> argument.equals(ALL) ? HELP : argument)
                .toArray(String[]::new);
    }

    private static CommandLine show(CommandLine line, boolean all) {
        line.setHelpSectionKeys(List.of(SECTION));
        line.setHelpSectionMap(Map.of(SECTION, help -> all ? whole(help) : page(help)));
        line.getSubcommands().values().forEach(command -> show(command, all));
        return line;
    }

    private static String page(Help help) {
        String whole = whole(help);
        return whole.lines().count() <= LINES ? whole : brief(help.commandSpec());
    }

    /** The whole help of picocli. */
    private static String whole(Help help) {
        CommandLine plain = new CommandLine(CommandSpec.create());
        Map<String, IHelpSectionRenderer> sections = plain.getHelpSectionMap();
        return plain.getHelpSectionKeys().stream()
                .map(key -> sections.containsKey(key) ? sections.get(key).render(help) : "")
                .collect(Collectors.joining());
    }

    private static String brief(CommandSpec command) {
        List<String> lines = new ArrayList<>();
        lines.add("Usage: " + synopsis(command));
        lines.addAll(folded(summary(command)));
        command.subcommands()
                .forEach((name, below) -> lines.add(row("  " + name, summary(below.getCommandSpec()), 14)));
        List<OptionSpec> flags = command.options().stream()
                .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
                .toList();
        flags(command, flags, LINES - lines.size() - 1)
                .forEach(flag -> lines.add(row("  " + name(flag), text(flag), NAME_COLUMNS)));
        List<String> footer = Arrays.stream(command.usageMessage().footer())
                .flatMap(line -> folded(text(new String[] {line})).stream())
                .toList();
        if (lines.size() + footer.size() < LINES) {
            lines.addAll(footer);
        }
        lines.add(command.qualifiedName() + " " + ALL + " explains "
                + (flags.isEmpty() ? "more" : "all " + flags.size() + " flags"));
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String synopsis(CommandSpec command) {
        String[] custom = command.usageMessage().customSynopsis();
        if (custom.length > 0) {
            return custom[0];
        }
        String parameters = command.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .map(PositionalParamSpec::paramLabel)
                .map(label -> label + " ")
                .collect(Collectors.joining());
        return command.qualifiedName() + " " + parameters
                + (command.subcommands().isEmpty() ? "[flags]" : "COMMAND");
    }

    /** The header, or the first sentence of the description. */
    private static String summary(CommandSpec command) {
        String header = text(command.usageMessage().header());
        String whole = header.isEmpty() ? text(command.usageMessage().description()) : header;
        int end = whole.indexOf(". ");
        return end < 0 ? whole : whole.substring(0, end + 1);
    }

    /** The flags that a command names for a first look, else its first flags, as far as there is room. */
    private static List<OptionSpec> flags(CommandSpec command, List<OptionSpec> flags, int room) {
        FirstFlags named = command.userObject() == null
                ? null
                : command.userObject().getClass().getAnnotation(FirstFlags.class);
        List<OptionSpec> wanted = named == null || flags.size() <= room
                ? flags
                : flags.stream()
                        .filter(flag -> List.of(named.value()).contains(flag.longestName()))
                        .toList();
        return wanted.subList(0, Math.min(room, wanted.size()));
    }

    private static String name(OptionSpec flag) {
        return flag.longestName() + (flag.arity().max() == 0 ? "" : " " + label(flag));
    }

    private static String label(ArgSpec flag) {
        String label = flag.paramLabel();
        return label.startsWith("<")
                ? label.substring(1, label.length() - 1)
                        .replaceAll("([a-z])([A-Z])", "$1-$2")
                        .toUpperCase(Locale.ROOT)
                : label;
    }

    private static String row(String name, String text, int columns) {
        String padded = name + " ".repeat(Math.max(2, columns - name.length()));
        int room = COLUMNS - padded.length();
        Matcher standard = STANDARD.matcher(text);
        if (!standard.find()) {
            return padded + beginning(text, room);
        }
        String shown =
                " (default " + (standard.group("in") == null ? standard.group("as") : standard.group("in")) + ")";
        String bare = standard.replaceFirst("").strip();
        return shown.length() > room / 2
                ? padded + beginning(bare, room)
                : padded + beginning(bare, room - shown.length()) + shown;
    }

    /** A text, or its first sentences, or else as much of it as there is room for. */
    private static String beginning(String text, int room) {
        String bare = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (bare.length() <= room) {
            return bare;
        }
        int sentence = end(text, SENTENCES, room);
        return sentence > room / 3
                ? text.substring(0, sentence)
                : text.substring(0, Math.max(0, end(text, WORDS, room - MORE.length()))) + MORE;
    }

    /** The last of the marks that fits the room and is in no parentheses; below 0 if there is none. */
    private static int end(String text, List<String> marks, int room) {
        int end = -1;
        int depth = 0;
        for (int i = 0; i <= Math.min(room, text.length() - 1); i++) {
            int at = i;
            if (depth == 0 && marks.stream().anyMatch(mark -> text.startsWith(mark, at))) {
                end = i;
            }
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
        }
        return end;
    }

    private static String text(OptionSpec flag) {
        return text(flag.description()).replace("${DEFAULT-VALUE}", String.valueOf(flag.defaultValue()));
    }

    private static String text(String[] lines) {
        return String.join(" ", lines)
                .replace("%%", "%")
                .replace("%n", " ")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static List<String> folded(String text) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > COLUMNS) {
            int cut = rest.lastIndexOf(' ', COLUMNS);
            lines.add(rest.substring(0, cut));
            rest = rest.substring(cut + 1);
        }
        lines.add(rest);
        return lines;
    }
}
