package dev.kvstore.testing.run;

import java.time.Duration;
import java.util.List;

/**
 * Test classes that one JVM runs in one go.
 *
 * @param expected how long they took when they ran last, or a guess
 */
record TestUnit(TestModule module, List<String> classes, Duration expected) {
    TestUnit {
        classes = List.copyOf(classes);
    }
}
