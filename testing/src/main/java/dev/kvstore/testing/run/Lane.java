package dev.kvstore.testing.run;

import java.util.List;

/** The set of tests to run. Each lane has the tests of the lanes before it. */
public enum Lane {
    /** The lane of unit tests: classes named {@code *Test}, without those tagged {@link #SLOW}. */
    CHECK,
    /** The lane of all tests that must pass before a change lands. */
    TEST,
    /** The lane that also has the tests tagged {@link #FULL_TAG}: instruments, long fuzzing, every topology. */
    FULL;

    /** The tag of unit tests that take more than about two seconds, or that start a process. */
    public static final String SLOW = "slow";

    /** The tag of tests that only {@code kv test --full} runs. */
    public static final String FULL_TAG = "full";

    /** Tests with one of these tags do not run. */
    List<String> excludedTags() {
        return switch (this) {
            case CHECK -> List.of(SLOW, FULL_TAG);
            case TEST -> List.of(FULL_TAG);
            case FULL -> List.of();
        };
    }

    /** Whether a class of this name can have tests of this lane. */
    boolean takes(String className) {
        return className.endsWith("Test") || (this != CHECK && className.endsWith("IT"));
    }
}
