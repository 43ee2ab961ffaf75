package dev.kvstore.testing.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The units that have not begun, per module, the longest first. Thread-safe.
 *
 * <p>A worker stays with its module as long as that module has units, since a running JVM is warm. A new worker takes
 * the module with the most work left per worker, so that no long module is left for the end.
 */
final class Queue {
    private final Map<TestModule, Deque<TestUnit>> waiting = new LinkedHashMap<>();
    private final Map<TestModule, Integer> workers = new LinkedHashMap<>();

    Queue(List<TestUnit> units) {
        units.stream()
                .sorted(Comparator.comparing(TestUnit::expected).reversed())
                .forEach(unit -> waiting.computeIfAbsent(unit.module(), _ -> new ArrayDeque<>())
                        .add(unit));
    }

    /** The next unit for a worker of this module, or for a new worker if there is none; empty when all have begun. */
    synchronized Optional<TestUnit> next(@Nullable TestModule module) {
        if (module != null) {
            Deque<TestUnit> own = waiting.getOrDefault(module, new ArrayDeque<>());
            if (!own.isEmpty()) {
                return Optional.of(own.remove());
            }
            workers.merge(module, -1, Integer::sum);
        }
        Optional<TestModule> longest = waiting.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .max(Comparator.comparing(entry -> leftPerWorker(entry.getKey(), entry.getValue())))
                .map(Map.Entry::getKey);
        longest.ifPresent(chosen -> workers.merge(chosen, 1, Integer::sum));
        return longest.map(
                chosen -> waiting.getOrDefault(chosen, new ArrayDeque<>()).remove());
    }

    private Duration leftPerWorker(TestModule module, Deque<TestUnit> units) {
        Duration left = units.stream().map(TestUnit::expected).reduce(Duration.ZERO, Duration::plus);
        return left.dividedBy(workers.getOrDefault(module, 0) + 1);
    }
}
