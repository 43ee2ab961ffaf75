package dev.kvstore.simulation;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** A Java agent that keeps the JDK's {@link Instrumentation}, which can redefine classes. */
public final class BugAgent {
    private static @Nullable Instrumentation instrumentation;

    private BugAgent() {}

    /** The JDK calls this method before the program's {@code main}. */
    public static void premain(String unused, Instrumentation given) {
        instrumentation = given;
    }

    /**
     * The JDK's means to redefine classes.
     *
     * @throws IllegalStateException if this process was started without the agent
     */
    static Instrumentation instrumentation() {
        Instrumentation given = instrumentation;
        if (given == null) {
            throw new IllegalStateException("started without -javaagent");
        }
        return given;
    }
}
