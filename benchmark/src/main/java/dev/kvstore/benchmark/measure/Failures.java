package dev.kvstore.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The promises of a run that did not hold, a sentence each. For one thread. */
public final class Failures {
    private final List<String> sentences = new ArrayList<>();

    /**
     * Adds a sentence if a promise is broken.
     *
     * @param sentence as {@link String#format} takes it
     */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for one method
    public void when(boolean broken, String sentence, Object... arguments) {
        if (broken) {
            sentences.add(String.format(Locale.ROOT, sentence, arguments));
        }
    }

    /** All sentences, in the order in which they were added. */
    public List<String> list() {
        return List.copyOf(sentences);
    }
}
