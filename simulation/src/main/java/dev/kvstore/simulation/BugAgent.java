package dev.kvstore.simulation;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Takes from the JDK, as it starts, the means to redefine classes. */
public final class BugAgent {
    private static @Nullable Instrumentation instrumentation;

    private BugAgent() {}

    /** Called by the JDK. */
    public static void premain(String unused, Instrumentation given) {
        instrumentation = given;
    }

    /**
     * The means to redefine classes.
     *
     * @throws IllegalStateException if this process was started without them
     */
    static Instrumentation instrumentation() {
        Instrumentation given = instrumentation;
        if (given == null) {
            throw new IllegalStateException("started without -javaagent");
        }
        return given;
    }
}
