package dev.kvstore.endtoend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Variables, fields, parameters and record components of a checkout's own types, as far as the type's name has two words
 * or more. A variable fits if a word of it begins as a word of its type does, or if all its words are idioms.
 */
final class VariableWords {
    /** A type, with parameters or without, and the name of a variable. */
    private static final Pattern VARIABLE =
            Pattern.compile("\\b([A-Z]\\w*)(?:<(?:[^<>;(){}=]|<[^<>]*>)*>)?\\s+([a-z]\\w*)\\s*(?=[=;,):])");

    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])");

    /** Letters that the beginnings of two words share, so that they are forms of one. */
    private static final int STEM = 4;

    /** Letters of a word that may be short for another. */
    private static final int SHORTEST = 3;

    private final Set<String> types;
    private final Set<String> idioms;
    private final List<String> misfits = new ArrayList<>();
    private int all;

    /** @param idioms words that name a role whatever the type */
    VariableWords(Path checkout, Set<String> idioms) throws IOException {
        this.types = SharedNames.declared(checkout).keySet().stream()
                .filter(type -> words(type).size() > 1)
                .collect(Collectors.toSet());
        this.idioms = idioms;
    }

    void count(Path module) throws IOException {
        for (Path file : SharedNames.sources(module)) {
            Matcher variables = VARIABLE.matcher(SharedNames.code(file));
            while (variables.find()) {
                if (types.contains(variables.group(1))) {
                    count(file, variables.group(1), variables.group(2));
                }
            }
        }
    }

    private void count(Path file, String type, String variable) {
        all++;
        if (!fits(type, variable)) {
            misfits.add(file.getFileName() + ": " + type + " " + variable);
        }
    }

    boolean fits(String type, String variable) {
        List<String> words = words(variable);
        return idioms.containsAll(words)
                || words(type).stream().anyMatch(of -> words.stream().anyMatch(word -> isForm(of, word)));
    }

    private static boolean isForm(String one, String other) {
        int letters = Math.min(STEM, Math.min(one.length(), other.length()));
        return one.equals(other) || (letters >= SHORTEST && one.regionMatches(0, other, 0, letters));
    }

    private static List<String> words(String name) {
        return WORD.matcher(name)
                .results()
                .map(MatchResult::group)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    List<String> misfits() {
        return misfits;
    }

    /** The share that does not fit, 0 to 1. */
    double share() {
        return (double) misfits.size() / all;
    }
}
