package dev.kvstore.doctor.environment;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody may have meant. Stateless. */
final class NearestName {
    /** The most letters that a mistyped name may differ by. */
    private static final int MOST = 3;

    private NearestName() {}

    /** The known name that differs least, if it differs by three letters at most. */
    static Optional<String> of(String name, Collection<String> known) {
        return known.stream()
                .filter(other -> distance(name, other) <= MOST)
                .min(Comparator.comparingInt(other -> distance(name, other)));
    }

    /** The letters to insert, delete or replace (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
