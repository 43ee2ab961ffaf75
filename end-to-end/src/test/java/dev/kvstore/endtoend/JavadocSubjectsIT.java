package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A Javadoc names its subject: it does not begin with a word that stands for something that the reader has to find. */
class JavadocSubjectsIT {
    private static final Pattern WITHOUT_SUBJECT = Pattern.compile(
            "/\\*\\*[\\s*]+(?:As|It|Its|They|Those|Also|So|Anew|Who|What|Which|To what|Not any more)\\b[^\\n]*");

    @Test
    void noJavadocBeginsWithAWordForSomethingElse() throws Exception {
        TreeSet<String> found = new TreeSet<>();
        for (Path module : SharedNames.modules(Documents.ROOT)) {
            for (Path file : SharedNames.sources(module)) {
                Matcher javadoc = WITHOUT_SUBJECT.matcher(Files.readString(file));
                while (javadoc.find()) {
                    found.add(file.getFileName() + ": " + javadoc.group().replaceAll("[\\s*/]+", " "));
                }
            }
        }

        assertThat(found).isEmpty();
    }
}
