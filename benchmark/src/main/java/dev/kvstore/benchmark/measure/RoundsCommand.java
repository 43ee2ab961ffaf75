package dev.kvstore.benchmark.measure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that measures in {@link Rounds}, with the flags that say how many rounds, and how long each measurement is. */
public abstract class RoundsCommand extends BenchCommand {
    private static final int MOST_ROUNDS = 100;
    private static final int MOST_SECONDS = 3_600;
    private static final double MILLI = 1e-3;

    private final RoundPlan usual;
    private final RoundPlan quickly;

    @Option(
            names = "--rounds",
            order = 1,
            paramLabel = "N",
            description = "Measurements of each, 1 to " + MOST_ROUNDS + ", all in turn.")
    private @Nullable Integer rounds;

    @Option(
            names = "--seconds",
            order = 2,
            paramLabel = "S",
            description = "Length of each measurement, 1 to " + MOST_SECONDS + ".")
    private @Nullable Integer seconds;

    @Option(
            names = "--warmup",
            order = 3,
            paramLabel = "S",
            description = "Seconds of each before it is measured, 1 to " + MOST_SECONDS + ".")
    private @Nullable Integer warmUp;

    @Option(
            names = "--quick",
            order = 4,
            description = "Shows that it works, and a first impression: other defaults for the flags above.")
    private boolean quick;

    /**
     * How often and how long something is measured.
     *
     * @param rounds measurements of each case
     * @param time of each measurement
     * @param warmUp of each case before
     */
    public record RoundPlan(int rounds, Duration time, Duration warmUp) {
        public static RoundPlan ofSeconds(int rounds, int seconds, int warmUp) {
            return new RoundPlan(rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
        }

        public double seconds() {
            return time.toMillis() * MILLI;
        }

        public double warmUpSeconds() {
            return warmUp.toMillis() * MILLI;
        }
    }

    /**
     * @param usual the defaults
     * @param quickly the defaults with {@code --quick}
     */
    protected RoundsCommand(RoundPlan usual, RoundPlan quickly) {
        this.usual = usual;
        this.quickly = quickly;
    }

    @Override
    protected void check() {
        RoundPlan plan = plan();
        require("--rounds", plan.rounds(), 1, MOST_ROUNDS);
        require("--seconds", plan.time().toSeconds(), 1, MOST_SECONDS);
        require("--warmup", plan.warmUp().toSeconds(), 1, MOST_SECONDS);
    }

    /** The rounds and times that the flags set, with defaults for the flags that are missing. */
    protected final RoundPlan plan() {
        RoundPlan defaults = chosen(null, usual, quickly);
        return new RoundPlan(
                rounds == null ? defaults.rounds() : rounds,
                seconds == null ? defaults.time() : Duration.ofSeconds(seconds),
                warmUp == null ? defaults.warmUp() : Duration.ofSeconds(warmUp));
    }

    /** The value that a flag names, or else its default: one for {@code --quick}, one without. */
    protected final <T> T chosen(@Nullable T named, T usually, T ifQuick) {
        return named != null ? named : quick ? ifQuick : usually;
    }
}
