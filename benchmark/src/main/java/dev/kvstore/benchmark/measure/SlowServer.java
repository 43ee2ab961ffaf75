package dev.kvstore.benchmark.measure;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The hidden flag that has servers answer later, to see that an instrument notices; for commands to mix in. */
public final class SlowServer {
    /** The flag's name on the command line. */
    public static final String FLAG = "--slow-server";

    private static final int MOST_MILLIS = 10_000;

    @Option(
            names = FLAG,
            paramLabel = "MS",
            hidden = true,
            defaultValue = "0",
            description = "To see that every instrument notices: servers answer so much later.")
    private int millis;

    /**
     * How much later servers are to answer, 0 to 10 s.
     *
     * @throws IllegalArgumentException if it is not
     */
    public Duration time() {
        BenchCommand.require(FLAG, millis, 0, MOST_MILLIS);
        return Duration.ofMillis(millis);
    }
}
