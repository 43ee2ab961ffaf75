package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A variable of one of our types shares a word with it. */
class VariableWordsIT {
    private static final Path IDIOMS =
            Documents.ROOT.resolve("end-to-end/src/test/resources/dev/kvstore/endtoend/variable-idioms.txt");

    /** Modules that are the product. */
    private static final List<String> MODULES = List.of(
            "data-plane",
            "control-plane",
            "account-registry",
            "cluster-registry",
            "admin-api",
            "client-java",
            "protocol",
            "program",
            "settings",
            "launcher");

    private static VariableWords words() throws Exception {
        Set<String> idioms = Files.readAllLines(IDIOMS).stream()
                .filter(line -> !line.startsWith("#"))
                .flatMap(line -> Arrays.stream(line.split(" ")))
                .collect(Collectors.toSet());
        return new VariableWords(Documents.ROOT, idioms);
    }

    @Test
    void hardlyAVariableHidesItsType() throws Exception {
        VariableWords words = words();

        for (String module : MODULES) {
            words.count(Documents.ROOT.resolve(module));
        }

        assertThat(words.share())
                .as("variables without a word of their type: %s", words.misfits())
                .isLessThan(0.05);
    }

    @Test
    void aFormOfAWordIsThatWord() throws Exception {
        assertThat(words().fits("RequestAuthorisation", "authorised")).isTrue();
    }

    @Test
    void aWordOfAnotherThingDoesNotFit() throws Exception {
        assertThat(words().fits("CallInput", "inbox")).isFalse();
    }

    @Test
    void anIdiomFitsEveryType() throws Exception {
        assertThat(words().fits("CallInput", "next")).isTrue();
    }
}
