package dev.kvstore.endtoend;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of this checkout, as tests of documents read them. Stateless. */
final class Documents {
    static final Path ROOT = Home.current().path();

    /** Folders that a build makes. */
    private static final Set<String> FOREIGN = Set.of("target", "node_modules", "bin");

    private static final Set<String> PICTURE = Set.of("", "mermaid");

    private static final Pattern LINK_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    private Documents() {}

    /** A line of a document. */
    record DocumentLine(Path file, int number, String text) {
        @Override
        public String toString() {
            return ROOT.relativize(file) + ":" + number;
        }
    }

    /** All Markdown files, but those in folders that the build makes. */
    static List<Path> markdown() throws IOException {
        return files(file -> file.toString().endsWith(".md"));
    }

    static List<Path> files(Predicate<Path> wanted) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean foreign = FOREIGN.contains(name) || name.startsWith(".");
                return foreign && !folder.equals(ROOT) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (wanted.test(file)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files.stream().sorted().toList();
    }

    /** The lines of a document outside of blocks of code, those of tables among them. */
    static List<DocumentLine> lines(Path file) throws IOException {
        return lines(file, fence -> fence == null);
    }

    /** The lines of a document's pictures: of Mermaid's, and of blocks that name no language. */
    static List<DocumentLine> pictures(Path file) throws IOException {
        return lines(file, fence -> fence != null && PICTURE.contains(fence));
    }

    /**
     * The lines of a document's blocks of code and pictures, of which one that goes on behind a backslash is one line, of
     * its last number.
     */
    static List<DocumentLine> commandLines(Path file) throws IOException {
        return commandLines(file, _ -> true);
    }

    /** The same of blocks in languages; the language of a block that names none is empty. */
    static List<DocumentLine> commandLines(Path file, Predicate<String> languages) throws IOException {
        List<DocumentLine> lines = new ArrayList<>();
        StringBuilder whole = new StringBuilder();
        for (DocumentLine line : lines(file, fence -> fence != null && languages.test(fence))) {
            whole.append(whole.isEmpty() ? line.text() : " " + line.text().strip());
            if (line.text().endsWith("\\")) {
                whole.setLength(whole.length() - 1);
                whole.setLength(whole.toString().stripTrailing().length());
            } else {
                lines.add(new DocumentLine(file, line.number(), whole.toString()));
                whole.setLength(0);
            }
        }
        return lines;
    }

    /** @param wanted of a line, by the language of the block that it is in, empty if none is named; null outside */
    private static List<DocumentLine> lines(Path file, Predicate<@Nullable String> wanted) throws IOException {
        List<DocumentLine> lines = new ArrayList<>();
        String fence = null;
        int number = 0;
        for (String text : Files.readAllLines(file)) {
            number++;
            if (text.strip().startsWith("```")) {
                fence = fence == null ? text.strip().substring(3) : null;
            } else if (wanted.test(fence)) {
                lines.add(new DocumentLine(file, number, text));
            }
        }
        return lines;
    }

    /** The anchors that a reader of the rendered document can be sent to. */
    static Set<String> anchors(Path file) throws IOException {
        Stream<String> headings = lines(file).stream()
                .filter(line -> line.text().startsWith("#"))
                .map(line -> LINK_TEXT.matcher(line.text()).replaceAll("$1"))
                .map(text -> text.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
                .map(text -> text.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'));
        return headings.collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Folders that have a file of Java code of their own, below a folder of sources, as {@code region} or
     * {@code tier.disk}.
     */
    static Set<String> packages(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
