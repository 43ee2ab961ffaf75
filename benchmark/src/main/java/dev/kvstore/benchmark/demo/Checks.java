package dev.kvstore.benchmark.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts for each check that must hold how often it was made, and how often it failed. For one thread. */
final class Checks {
    /**
     * One thing that must hold.
     *
     * @param asked how often it was asked; one that was never asked has not passed
     * @param failures how often it did not hold
     * @param firstFailure empty if there was none
     */
    record DemoCheck(String name, long asked, long failures, String firstFailure) {
        boolean passed() {
            return asked > 0 && failures == 0;
        }
    }

    private final Map<String, DemoCheck> checks = new LinkedHashMap<>();

    /** Announces a check, so that one that is never asked shows as failed. */
    void expect(String name) {
        checks.putIfAbsent(name, new DemoCheck(name, 0, 0, ""));
    }

    void that(String name, boolean holds, String failure) {
        expect(name);
        checks.computeIfPresent(
                name,
                (_, check) -> new DemoCheck(
                        name,
                        check.asked() + 1,
                        check.failures() + (holds ? 0 : 1),
                        holds || check.failures() > 0 ? check.firstFailure() : failure));
    }

    void equal(String name, long expected, long actual, String where) {
        that(name, expected == actual, where + ": " + actual + " instead of " + expected);
    }

    List<DemoCheck> all() {
        return List.copyOf(checks.values());
    }

    boolean allPassed() {
        return checks.values().stream().allMatch(DemoCheck::passed);
    }
}
