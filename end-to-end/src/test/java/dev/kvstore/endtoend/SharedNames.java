package dev.kvstore.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of types that more than one module declares, at the top of a file or within another type. Stateless. */
final class SharedNames {
    private static final String SOURCES = "src/main/java";

    /** Text and comments, which may speak of a class without declaring one. */
    private static final Pattern PROSE = Pattern.compile("""
            (?s)\"""(?:\\\\.|(?!\""").)*+\"""|"(?:[^"\\\\\\n]|\\\\.)*+"|'(?:[^'\\\\]|\\\\.)*+'|/\\*.*?\\*/|//[^\\n]*+""");

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|record|interface|enum)\\s+([A-Z]\\w*)");

    private SharedNames() {}

    /** The main code's names that stand in two or more modules of a checkout, with these modules. */
    static Map<String, Set<String>> of(Path checkout) throws IOException {
        Map<String, Set<String>> modules = declared(checkout);
        modules.values().removeIf(in -> in.size() < 2);
        return modules;
    }

    /** All names of types of the main code, with the modules that declare them. */
    static Map<String, Set<String>> declared(Path checkout) throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (Path module : modules(checkout)) {
            for (Path file : sources(module)) {
                Matcher type = DECLARED.matcher(code(file));
                while (type.find()) {
                    modules.computeIfAbsent(type.group(1), _ -> new TreeSet<>())
                            .add(module.getFileName().toString());
                }
            }
        }
        return modules;
    }

    /** A file without its texts and comments. */
    static String code(Path file) throws IOException {
        return PROSE.matcher(Files.readString(file)).replaceAll("");
    }

    static List<Path> modules(Path checkout) throws IOException {
        try (Stream<Path> folders = Files.list(checkout)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve(SOURCES)))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> sources(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(module.resolve(SOURCES))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /**
     * The flaws: shared names that the list does not have, and listed names that are not shared any more.
     *
     * @param shared names and the modules that declare them
     * @param list lines {@code Name: the one meaning}; empty lines and lines that begin with {@code #} do not count
     */
    static List<String> flaws(Map<String, Set<String>> shared, List<String> list) {
        Map<String, String> meanings = new TreeMap<>();
        Stream.Builder<String> flaws = Stream.builder();
        for (String line : list) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(": ");
            if (colon < 0 || line.substring(colon + 2).isBlank()) {
                flaws.add(line + ": has no meaning");
            } else if (meanings.put(line.substring(0, colon), line.substring(colon + 2)) != null) {
                flaws.add(line.substring(0, colon) + ": is listed twice");
            }
        }
        shared.forEach((name, modules) -> {
            if (!meanings.containsKey(name)) {
                flaws.add(name + ": declared in " + String.join(", ", modules)
                        + "; give each meaning a name of its own, or list the one meaning");
            }
        });
        meanings.keySet().stream()
                .filter(name -> !shared.containsKey(name))
                .forEach(name -> flaws.add(name + ": is listed, and at most one module declares it"));
        return flaws.build().toList();
    }
}
