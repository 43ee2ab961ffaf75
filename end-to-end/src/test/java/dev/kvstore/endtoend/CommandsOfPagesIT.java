package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every program whose command a page prints in a block is held by a test that is named in {@code commands-of-pages.txt},
 * or has a reason there. In a block that names no language, which may be output, only the file's own programs count.
 */
class CommandsOfPagesIT {
    private static final Set<String> SHELL = Set.of("bash", "shell", "sh");
    private static final Set<String> KEYWORDS =
            Set.of("in", "do", "done", "if", "then", "else", "fi", "until", "while", "sudo", "[");
    private static final Pattern PROGRAM = Pattern.compile("(?:[\\w./~-]*/)?([A-Za-z][\\w.+-]*)");
    private static final Pattern REDIRECTION = Pattern.compile("\\d?[<>]+(?:&\\d|\\s*[^\\s<>()]+)");
    private static final Pattern DOCUMENT = Pattern.compile("<<'?(\\w+)");
    private static final Pattern TESTS = Pattern.compile("\\w+IT(?: \\w+IT)*");

    /** A line of the file. */
    private record HeldPrograms(String page, Set<String> programs, String why) {
        boolean holds(PagedProgram printed) {
            return (page.equals("*") || page.equals(printed.page())) && programs.contains(printed.program());
        }
    }

    /** A program on a page. */
    private record PagedProgram(String page, String program) {}

    private List<HeldPrograms> held = List.of();
    private Set<PagedProgram> printed = Set.of();

    @BeforeEach
    void read() throws IOException {
        held = held();
        Set<String> known =
                held.stream().flatMap(line -> line.programs().stream()).collect(Collectors.toSet());
        printed = new LinkedHashSet<>();
        for (Path file : Documents.markdown()) {
            String page = Documents.ROOT.relativize(file).toString();
            programs(file, SHELL::contains).forEach(program -> printed.add(new PagedProgram(page, program)));
            programs(file, String::isEmpty).stream()
                    .filter(known::contains)
                    .forEach(program -> printed.add(new PagedProgram(page, program)));
        }
    }

    private static List<HeldPrograms> held() throws IOException {
        try (var input = Objects.requireNonNull(CommandsOfPagesIT.class.getResourceAsStream("commands-of-pages.txt"))) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", 3))
                    .map(parts -> new HeldPrograms(parts[0], Set.of(parts[1].split(" ")), parts[2]))
                    .toList();
        }
    }

    /** The programs of a document's blocks in languages. */
    private static Set<String> programs(Path file, Predicate<String> languages) throws IOException {
        Set<String> programs = new TreeSet<>();
        String end = "";
        for (Documents.DocumentLine line : Documents.commandLines(file, languages)) {
            if (!end.isEmpty()) {
                end = line.text().strip().equals(end) ? "" : end;
                continue;
            }
            Matcher document = DOCUMENT.matcher(line.text());
            end = document.find() ? document.group(1) : "";
            ShellWords.commands(REDIRECTION.matcher(line.text()).replaceAll(" ")).stream()
                    .flatMap(words ->
                            words.stream().dropWhile(KEYWORDS::contains).limit(1))
                    .map(PROGRAM::matcher)
                    .filter(Matcher::matches)
                    .map(program -> program.group(1))
                    .filter(program -> !program.equals("for"))
                    .forEach(programs::add);
        }
        return programs;
    }

    @Test
    void eachIsHeldByATestOrHasAReason() {
        assertThat(printed)
                .hasSizeGreaterThan(50)
                .allSatisfy(program -> assertThat(held).anyMatch(line -> line.holds(program)));
    }

    @Test
    void noLineOfTheFileIsForNothing() {
        List<String> idle = new ArrayList<>();
        for (HeldPrograms line : held) {
            line.programs().stream()
                    .filter(program ->
                            printed.stream().noneMatch(each -> each.program().equals(program) && line.holds(each)))
                    .forEach(program -> idle.add(line.page() + " " + program));
        }
        assertThat(idle).isEmpty();
    }

    @Test
    void eachTestOfTheFileExists() throws IOException {
        Set<String> tests = Documents.files(file -> file.toString().endsWith("IT.java")).stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(held)
                .filteredOn(line -> !line.why().startsWith("not run: "))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.why()).matches(TESTS))
                .flatExtracting(line -> Stream.of(line.why().split(" ")).toList())
                .allSatisfy(test -> assertThat(tests).contains(String.valueOf(test)));
    }
}
