package dev.kvstore.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Settings that are given to one program in one way. Immutable.
 *
 * @param how they are given, as sentences
 */
public record SettingGroup(String title, String how, List<Setting> settings) {
    private static final String HEAD = "#\t";

    public SettingGroup {
        settings = List.copyOf(settings);
    }

    /**
     * The group's own line, then one for each setting. Programs print these lines, and {@link SettingsTable} reads
     * them.
     */
    public String lines() {
        return Stream.concat(
                        Stream.of(HEAD + title + "\t" + how), settings.stream().map(Setting::line))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Prints the lines of groups to standard output. */
    public static void print(List<SettingGroup> groups) {
        PrintStream out = new PrintStream(System.out, true, UTF_8);
        groups.forEach(group -> out.print(group.lines()));
    }

    /**
     * Reads the lines that programs have printed.
     *
     * @throws IllegalArgumentException if a line is no setting, or is in no group
     */
    static List<SettingGroup> parse(Stream<String> lines) {
        List<List<String>> groups = new ArrayList<>();
        lines.forEach(line -> {
            if (line.startsWith(HEAD)) {
                groups.add(new ArrayList<>());
            } else if (groups.isEmpty()) {
                throw new IllegalArgumentException("no group of settings: " + line);
            }
            groups.getLast().add(line);
        });
        return groups.stream().map(SettingGroup::group).toList();
    }

    private static SettingGroup group(List<String> lines) {
        String[] head = lines.getFirst().split("\t", 3);
        return new SettingGroup(
                head[1], head[2], lines.stream().skip(1).map(Setting::parse).toList());
    }
}
