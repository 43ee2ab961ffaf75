package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A name that two modules use means one thing in both. */
class SharedNamesIT {
    private static final Path LIST =
            Documents.ROOT.resolve("end-to-end/src/test/resources/dev/kvstore/endtoend/shared-names.txt");

    /** A type in the last column of a row of the glossary. */
    private static final Pattern TERM = Pattern.compile("^\\|.*\\| `([A-Z][a-z]\\w*)` \\|$");

    @TempDir
    private Path checkout;

    @Test
    void aNameOfTwoModulesHasOneReviewedMeaning() throws Exception {
        assertThat(SharedNames.flaws(SharedNames.of(Documents.ROOT), Files.readAllLines(LIST)))
                .isEmpty();
    }

    @Test
    void theGlossaryNamesTypesThatAModuleDeclares() throws Exception {
        TreeSet<String> missing = new TreeSet<>();
        for (var line : Documents.lines(Documents.ROOT.resolve("docs/glossary.md"))) {
            Matcher term = TERM.matcher(line.text());
            if (term.find()) {
                missing.add(term.group(1));
            }
        }

        assertThat(missing).hasSizeGreaterThan(10);

        missing.removeAll(SharedNames.declared(Documents.ROOT).keySet());

        assertThat(missing).isEmpty();
    }

    @Test
    void aNameThatNobodyReviewedIsRefusedWithItsModules() throws Exception {
        declare("data-plane", "Place", "record Place(long offset) {}");
        declare("launcher", "Stack", "final class Stack { enum Place { HERE } }");

        assertThat(SharedNames.flaws(SharedNames.of(checkout), List.of()))
                .singleElement()
                .asString()
                .startsWith("Place: declared in data-plane, launcher;");
        assertThat(SharedNames.flaws(SharedNames.of(checkout), List.of("Place: where a block lies")))
                .isEmpty();
    }

    @Test
    void aNameOfOneModuleNeedsNoReview() throws Exception {
        declare("data-plane", "Reads", "final class Reads { record Key(int id) {} }");
        declare("data-plane", "Writes", "final class Writes { record Key(int id) {} }");

        assertThat(SharedNames.flaws(SharedNames.of(checkout), List.of())).isEmpty();
    }

    @Test
    void textAndCommentsDeclareNothing() throws Exception {
        declare("data-plane", "Tiers", "final class Tiers {}");
        declare("launcher", "Help", """
                /** Not the class Tiers. */
                final class Help {
                    // Nor the record Tiers.
                    String text = "class Tiers \\" class Tiers";
                    char quote = '"';
                }""");

        assertThat(SharedNames.of(checkout)).isEmpty();
    }

    @Test
    void aLineOfTheListThatSaysNothingIsRefused() {
        assertThat(SharedNames.flaws(
                        Map.of("Key", new TreeSet<>(List.of("launcher", "settings"))),
                        List.of("# comment", "", "Gone: a thing of the past", "Key")))
                .containsExactly(
                        "Key: has no meaning",
                        "Key: declared in launcher, settings; give each meaning a name of its own, or list the one"
                                + " meaning",
                        "Gone: is listed, and at most one module declares it");
    }

    private void declare(String module, String type, String source) throws IOException {
        Path folder = Files.createDirectories(checkout.resolve(module).resolve("src/main/java/dev/kvstore"));
        Files.writeString(folder.resolve(type + ".java"), source);
    }
}
