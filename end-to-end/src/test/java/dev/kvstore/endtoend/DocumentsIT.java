package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents of this checkout hold together, and name what there is. */
class DocumentsIT {
    private static final int COLUMNS = 120;

    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    /** A metric, or a resource of the Terraform provider. */
    private static final Pattern NAME = Pattern.compile("`(kvstore_[a-z0-9_]+)[`{ ]");

    /** The line below the heads of a table. */
    private static final Pattern RULE = Pattern.compile("\\s*\\|[-:| ]+\\|\\s*");

    /** A link to the internet, which nobody follows here. */
    private static final Pattern SCHEME = Pattern.compile("https://[a-z0-9.-]+(?:/\\S*)?");

    /**
     * {@code Tiers}, {@code Tiers.get} and {@code internal.Session} in code, but no {@code TIERS} and no
     * {@code --tier}.
     */
    private static final Pattern TYPE =
            Pattern.compile("`(?:[a-z0-9]+\\.)*([A-Z][a-z0-9]+[A-Za-z0-9]*)(?:\\.[A-Za-z]+(?:\\(\\))?)*`");

    /**
     * A word with a capital in a picture: a type's name, unless the word begins a sentence behind another one. Names of
     * one hump count, too, as {@code Tiers}; words of capitals alone do not.
     */
    private static final Pattern IN_PICTURE =
            Pattern.compile("(?<![A-Za-z0-9]|[.?!] )([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)*)\\b");

    /** Programs and products of others that pictures name. */
    private static final Set<String> OTHERS = Set.of("Azure", "Java", "Python", "Terraform");

    /** The modules whose types the pictures of a page name. Pictures of other pages name types of any module. */
    private static final Map<String, Set<String>> MODULES = Map.of(
            "control-plane.md",
                    Set.of("control-plane", "account-registry", "cluster-registry", "admin-api", "protocol"),
            "data-plane.md", Set.of("data-plane", "protocol"),
            "engines.md", Set.of("client-python", "client-java", "protocol"),
            "jobs.md", Set.of("control-plane", "data-plane", "protocol"),
            "sdk.md", Set.of("client-java", "protocol"));

    /** A declaration in Java, in Python or in a .proto file, and none in a comment. */
    private static final Pattern DECLARED = Pattern.compile(
            "(?m)^(?!\\s*(?:\\*|//|#)).*?\\b(?:class|record|interface|enum|service|rpc) ([A-Z][A-Za-z0-9]*)");

    private static final String SOURCES = "src/main/java";

    @Test
    void everyLinkLeadsSomewhere() throws Exception {
        List<String> broken = new ArrayList<>();
        for (Path file : Documents.markdown()) {
            for (Documents.DocumentLine line : Documents.lines(file)) {
                Matcher link = LINK.matcher(CODE.matcher(line.text()).replaceAll(""));
                while (link.find()) {
                    if (!leadsSomewhere(file, link.group(1))) {
                        broken.add(line + " " + link.group(1));
                    }
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(Path file, String target) throws IOException {
        // tfplugindocs makes anchors of its own.
        if (SCHEME.matcher(target).matches() || target.startsWith("#nestedatt")) {
            return true;
        }
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path there = path.isEmpty() ? file : file.resolveSibling(path);
        return Files.exists(there) && (hash < 0 || Documents.anchors(there).contains(target.substring(hash + 1)));
    }

    @Test
    void noLineOfProseIsLongerThanAnEditorIsWide() throws Exception {
        List<Documents.DocumentLine> tooLong = new ArrayList<>();
        for (Path file : Documents.markdown()) {
            if (isWritten(file)) {
                Documents.lines(file).stream()
                        .filter(line -> line.text().length() > COLUMNS)
                        .filter(line -> !line.text().strip().startsWith("|"))
                        .forEach(tooLong::add);
            }
        }

        assertThat(tooLong).isEmpty();
    }

    /** By hand: other pages are made of the code of Terraform modules, of the provider, or of both. */
    private static boolean isWritten(Path file) {
        Path path = Documents.ROOT.relativize(file);
        return !path.startsWith("terraform/modules") && !path.startsWith("terraform/provider/docs");
    }

    @Test
    void noTableIsCutInTwo() throws Exception {
        List<Documents.DocumentLine> headless = new ArrayList<>();
        for (Path file : Documents.markdown()) {
            List<Documents.DocumentLine> lines = Documents.lines(file);
            for (int i = 0; i < lines.size(); i++) {
                boolean begins = isRow(lines, i) && !isRow(lines, i - 1);
                if (begins
                        && !(isRow(lines, i + 1)
                                && RULE.matcher(lines.get(i + 1).text()).matches())) {
                    headless.add(lines.get(i));
                }
            }
        }

        assertThat(headless).isEmpty();
    }

    private static boolean isRow(List<Documents.DocumentLine> lines, int index) {
        return index >= 0
                && index < lines.size()
                && lines.get(index).text().strip().startsWith("|");
    }

    @Test
    void theHandbookNamesMetricsAndResourcesThatThereAre() throws Exception {
        Path handbook = Documents.ROOT.resolve("docs/operations");
        Set<String> known = NAME.matcher(Files.readString(handbook.resolve("metrics.md")))
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Documents.files(file -> file.startsWith(Documents.ROOT.resolve("terraform/provider/docs"))).stream()
                .map(file -> "kvstore_" + file.getFileName().toString().replace(".md", ""))
                .forEach(known::add);
        List<String> unknown = new ArrayList<>();
        for (Path page : Documents.files(file -> file.startsWith(handbook))) {
            unknown.addAll(others(NAME, Documents.lines(page), known));
        }

        assertThat(unknown).isEmpty();
    }

    @Test
    void theBookNamesOnlyTypesThatThereAre() throws Exception {
        Set<String> declared = declared(_ -> true);
        List<String> unknown = new ArrayList<>();
        for (Path page : book()) {
            unknown.addAll(others(TYPE, Documents.lines(page), declared));
        }

        assertThat(unknown).isEmpty();
    }

    @Test
    void aPictureNamesTypesOfItsOwnModules() throws Exception {
        List<String> unknown = new ArrayList<>();
        for (Path page : book()) {
            Set<String> modules = MODULES.get(page.getFileName().toString());
            Set<String> known = declared(file -> isMain(file) && (modules == null || modules.contains(module(file))));
            known.addAll(OTHERS);
            unknown.addAll(others(IN_PICTURE, Documents.pictures(page), known));
        }

        assertThat(unknown).isEmpty();
    }

    /** The pages that describe the code. */
    private static List<Path> book() throws IOException {
        return Documents.markdown().stream()
                .filter(file -> isBook(Documents.ROOT.relativize(file)))
                .toList();
    }

    /** The names of the types and calls that files of code declare. */
    private static Set<String> declared(Predicate<Path> wanted) throws IOException {
        Set<String> declared = new TreeSet<>();
        for (Path file : Documents.files(file -> isCode(file) && wanted.test(Documents.ROOT.relativize(file)))) {
            Matcher type = DECLARED.matcher(Files.readString(file));
            while (type.find()) {
                declared.add(type.group(1));
            }
        }
        return declared;
    }

    private static boolean isMain(Path file) {
        String path = file.toString();
        return path.contains("src/main/") || (module(file).equals("client-python") && path.contains("/src/"));
    }

    private static String module(Path file) {
        return file.getName(0).toString();
    }

    private static List<String> others(Pattern type, List<Documents.DocumentLine> lines, Set<String> known) {
        List<String> others = new ArrayList<>();
        for (Documents.DocumentLine line : lines) {
            Matcher name = type.matcher(line.text());
            while (name.find()) {
                if (!known.contains(name.group(1))) {
                    others.add(line + " " + name.group(1));
                }
            }
        }
        return others;
    }

    private static boolean isCode(Path file) {
        return Stream.of(".java", ".proto", ".py").anyMatch(file.toString()::endsWith);
    }

    @Test
    void everyModuleHasAReadMeThatNamesItsPackages() throws Exception {
        List<String> missing = new ArrayList<>();
        for (Path module : modules()) {
            Path sources = module.resolve(SOURCES);
            Path readMe = module.resolve("README.md");
            String text = Files.exists(readMe) ? Files.readString(readMe) : "";
            Set<String> packages = Documents.packages(sources);
            String base = commonBase(packages);
            for (String name : packages) {
                if (!text.contains(name.equals(base) ? "# " : "`" + name.substring(base.length() + 1) + "`")) {
                    missing.add(Documents.ROOT.relativize(readMe) + ": " + name);
                }
            }
        }

        assertThat(missing).isEmpty();
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> modules = Files.list(Documents.ROOT)) {
            return modules.filter(module -> Files.isDirectory(module.resolve(SOURCES)))
                    .sorted()
                    .toList();
        }
    }

    /** The package that all of a module's packages lie in, or are. */
    private static String commonBase(Set<String> packages) {
        String base = packages.iterator().next();
        while (!liesIn(packages, base)) {
            base = base.substring(0, base.lastIndexOf('.'));
        }
        return base;
    }

    private static boolean liesIn(Set<String> packages, String base) {
        return packages.stream().allMatch(name -> name.equals(base) || name.startsWith(base + "."));
    }

    @Test
    void everyTestOfAStackStandsInTheReadMe() throws Exception {
        String text = Files.readString(Documents.ROOT.resolve("end-to-end/README.md"));
        List<String> missing = Documents.files(file -> file.toString().endsWith("IT.java")).stream()
                .filter(file -> file.startsWith(Documents.ROOT.resolve("end-to-end")))
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .filter(test -> !text.contains("`" + test + "`"))
                .toList();

        assertThat(missing).isEmpty();
    }

    private static boolean isBook(Path path) {
        return path.startsWith("docs/architecture")
                || path.startsWith("docs/contributing")
                || path.equals(Path.of("docs/glossary.md"));
    }
}
