package dev.kvstore.testing.run;

import java.time.Duration;
import java.util.List;

/**
 * Test classes that one JVM runs in one go.
 *
 * @param expected the time that they took in the last run, or a guess
 */
record TestUnit(TestModule module, List<String> classes, Duration expected) {
    TestUnit {
        classes = List.copyOf(classes);
    }
}
