package dev.kvstore.testing.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of the tests so far. Thread-safe. */
final class Results {
    private final Map<String, Duration> times = new LinkedHashMap<>();
    private final List<Event.Failed> failures = new ArrayList<>();
    private final List<Event.Skipped> skips = new ArrayList<>();
    private long passed;
    private long generated;

    synchronized void add(Event event) {
        switch (event) {
            case Event.Passed _ -> passed++;
            case Event.Generated it -> generated += it.cases();
            case Event.Failed it -> failures.add(it);
            case Event.Skipped it -> skips.add(it);
            case Event.ClassStarted _, Event.UnitEnded _ -> {}
        }
    }

    synchronized void took(String className, Duration time) {
        times.put(className, time);
    }

    synchronized long passed() {
        return passed;
    }

    /** The number of cases with which properties were tried. */
    synchronized long generated() {
        return generated;
    }

    synchronized List<Event.Failed> failures() {
        return List.copyOf(failures);
    }

    synchronized List<Event.Skipped> skips() {
        return List.copyOf(skips);
    }

    /** The classes that have ended, the slowest first. */
    synchronized List<Map.Entry<String, Duration>> slowest() {
        return times.entrySet().stream()
                .sorted(Map.Entry.<String, Duration>comparingByValue().reversed())
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Whether all tests passed, and none was skipped without a reason. */
    synchronized boolean isGood() {
        return failures.isEmpty() && skips.stream().noneMatch(Event.Skipped::isSilent);
    }
}
