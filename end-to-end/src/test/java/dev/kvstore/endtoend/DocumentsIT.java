package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents of this checkout hold together, and name what there is. */
class DocumentsIT {
    private static final int COLUMNS = 120;

    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern SCHEME = Pattern.compile("[a-z]+:.*");

    /**
     * {@code Tiers}, {@code Tiers.get} and {@code internal.Session} in code, but no {@code TIERS} and no
     * {@code --tier}.
     */
    private static final Pattern TYPE =
            Pattern.compile("`(?:[a-z0-9]+\\.)*([A-Z][a-z0-9]+[A-Za-z0-9]*)(?:\\.[A-Za-z]+(?:\\(\\))?)*`");

    /** A type in a picture. Names of one word are not told from others there. */
    private static final Pattern HUMPS = Pattern.compile("\\b(?!PostgreSQL\\b)((?:[A-Z][a-z0-9]+){2,})\\b");

    private static final Pattern DECLARED =
            Pattern.compile("\\b(?:class|record|interface|enum|service|rpc) ([A-Z][A-Za-z0-9]*)");

    private static final String SOURCES = "src/main/java";

    private static final Path ADR = Documents.ROOT.resolve("docs/adr");
    private static final Pattern STATUS =
            Pattern.compile("(?m)^- Status: (accepted|superseded by \\[ADR \\d+]\\(\\d{4}-[a-z0-9-]+\\.md\\))$");
    private static final Pattern DATE = Pattern.compile("(?m)^- Date: 20\\d\\d-\\d\\d-\\d\\d$");

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
    void everyDecisionHasAStatusAndADateAndStandsInTheIndex() throws Exception {
        String index = Files.readString(ADR.resolve("README.md"));
        List<String> flaws = new ArrayList<>();
        for (Path decision : Documents.markdown()) {
            String name = decision.getFileName().toString();
            if (decision.startsWith(ADR) && !name.equals("README.md")) {
                String text = Files.readString(decision);
                if (!STATUS.matcher(text).find() || !DATE.matcher(text).find()) {
                    flaws.add(name + ": has no line \"- Status: ...\" or no line \"- Date: ...\"");
                }
                int number = Integer.parseInt(name.substring(0, 4));
                if (!index.contains("\n| [" + number + "](" + name + ") | ")) {
                    flaws.add(name + ": has no row in docs/adr/README.md");
                }
                if (!text.startsWith("# " + number + ". ")) {
                    flaws.add(name + ": begins with another number");
                }
            }
        }

        assertThat(flaws).isEmpty();
    }

    @Test
    void theBookNamesOnlyTypesThatThereAre() throws Exception {
        Set<String> declared = new TreeSet<>();
        for (Path file : Documents.files(DocumentsIT::isCode)) {
            Matcher type = DECLARED.matcher(Files.readString(file));
            while (type.find()) {
                declared.add(type.group(1));
            }
        }
        List<String> unknown = new ArrayList<>();
        for (Path file : Documents.markdown()) {
            if (isBook(Documents.ROOT.relativize(file))) {
                unknown.addAll(others(TYPE, Documents.lines(file), declared));
                unknown.addAll(others(HUMPS, Documents.blocks(file), declared));
            }
        }

        assertThat(unknown).isEmpty();
    }

    private static List<String> others(Pattern type, List<Documents.DocumentLine> lines, Set<String> declared) {
        List<String> others = new ArrayList<>();
        for (Documents.DocumentLine line : lines) {
            Matcher name = type.matcher(line.text());
            while (name.find()) {
                if (!declared.contains(name.group(1))) {
                    others.add(line + " " + name.group(1));
                }
            }
        }
        return others;
    }

    private static boolean isCode(Path file) {
        return file.toString().endsWith(".java") || file.toString().endsWith(".proto");
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
        return path.startsWith("docs/architecture") || path.equals(Path.of("docs/glossary.md"));
    }
}
