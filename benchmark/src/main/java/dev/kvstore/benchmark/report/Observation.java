package dev.kvstore.benchmark.report;

import dev.kvstore.settings.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes where and when a run is made, from before its first step. Immutable. */
public final class Observation {
    private static final double MILLIS = 1e3;

    private final String command;
    private final InstantSource time;
    private final Instant started;
    private final double load;
    private final Stolen stolen;
    private final @Nullable String commit;

    private Observation(String command, InstantSource time, @Nullable String commit) {
        this.command = command;
        this.time = time;
        this.commit = commit;
        this.started = time.instant();
        this.load = MachineFacts.load();
        this.stolen = Stolen.now();
    }

    /**
     * Begins now.
     *
     * @param program such as {@code kv bench}
     * @param arguments as they were given to it
     * @param checkout whose commit is noted
     */
    public static Observation begin(String program, List<String> arguments, Path checkout, InstantSource time)
            throws InterruptedException {
        return new Observation(CommandText.of(program, arguments), time, Commit.of(checkout));
    }

    /** The run has ended. */
    public RunEnvironment end() {
        Instant ended = time.instant();
        MachineFacts machine = MachineFacts.current();
        return new RunEnvironment(
                command,
                seconds(started),
                seconds(ended),
                Duration.between(started, ended).toMillis() / MILLIS,
                new Version().getVersion()[0],
                commit,
                Runtime.version() + ", " + System.getProperty("java.vendor"),
                machine,
                Noise.of(load, MachineFacts.load(), Stolen.now().shareSince(stolen), machine.processors()));
    }

    private static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
