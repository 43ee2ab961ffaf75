package dev.kvstore.testing.schedule;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.testing.schedule.RacingThreads.ThreadBody;
import java.lang.StackWalker.StackFrame;

/**
 * Runs a scenario under many schedules of its threads, which <a href="https://github.com/cmu-pasta/fray">Fray</a>
 * chooses: at each access of a field or an array, and at each lock, wait and start of a thread, Fray decides which
 * thread goes on. A failure names the number of its schedule; {@value #FIRST} repeats the run from there.
 *
 * <p>The caller must be a method of a test class that has a constructor without arguments; methods before and after
 * each test do not run. The caller runs again in another JVM, whose JDK is made for that ({@link ScheduledJdk}).
 */
public final class Schedules {
    /**
     * The environment variable for the number of schedules of each scenario. Without the variable there are {@value
     * #USUAL}, or as many as take a second or two.
     */
    public static final String COUNT = "KVSTORE_SCHEDULES";

    /** The environment variable for the number of the first schedule, which is 0 by default. */
    public static final String FIRST = "KVSTORE_FIRST_SCHEDULE";

    private static final int USUAL = 300;

    private static final int USUAL_SECONDS = 1;
    private static final int MOST_SECONDS = 3600;

    private Schedules() {}

    /**
     * Explores the schedules of a scenario.
     *
     * @param body sets up its objects, and {@linkplain RacingThreads#race races} threads; runs once per schedule
     * @throws AssertionError if the scenario fails under a schedule, or its threads wait for each other
     */
    public static void explore(ThreadBody body) {
        if (ScheduleAgent.isHere()) {
            boolean asked = System.getenv(COUNT) != null;
            FraySchedules.explore(body, number(FIRST, 0), number(COUNT, USUAL), asked ? MOST_SECONDS : USUAL_SECONDS);
            return;
        }
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "schedules are explored on Linux on x86-64 only");
        StackFrame test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.skip(1).findFirst())
                .orElseThrow();
        ScheduleJvm.run(test.getClassName(), test.getMethodName());
    }

    private static int number(String variable, int usual) {
        String given = System.getenv(variable);
        return given == null ? usual : Integer.parseInt(given);
    }
}
