package dev.kvstore.benchmark.measure;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the progress of a long run, a line at a time. For planned steps it also tells the number of the step, and the
 * time that is left if the steps to come take as long as the steps before. For one thread.
 */
public final class BenchProgress implements Consumer<String> {
    private final Consumer<String> lines;
    private final InstantSource time;
    private @Nullable StepPlan plan;

    private static final class StepPlan {
        private final int steps;
        private final long start;
        private int begun;

        private StepPlan(int steps, long start) {
            this.steps = steps;
            this.start = start;
        }
    }

    /** @param lines takes each line as it is to be seen */
    public BenchProgress(Consumer<String> lines, InstantSource time) {
        this.lines = lines;
        this.time = time;
    }

    /** Says something that is no step. */
    @Override
    public void accept(String line) {
        lines.accept(line);
    }

    /** Plans a number of steps of about the same length, which begin now; an earlier plan is forgotten. */
    public void plan(int steps) {
        plan = new StepPlan(steps, time.millis());
    }

    /**
     * A step begins, and the one before it has ended.
     *
     * @throws IllegalStateException if none, or no more, was planned
     */
    public void step(String line) {
        StepPlan current = plan;
        if (current == null || current.begun == current.steps) {
            throw new IllegalStateException("a step that was not planned: " + line);
        }
        int ended = current.begun++;
        String left = ended == 0
                ? ""
                : ", " + left((time.millis() - current.start) / ended * (current.steps - ended)) + " left";
        lines.accept(current.begun + "/" + current.steps + left + ": " + line);
    }

    private static String left(long millis) {
        Duration duration = Duration.ofMillis(millis);
        return duration.toMinutes() == 0
                ? duration.toSeconds() + " s"
                : String.format(Locale.ROOT, "%d:%02d min", duration.toMinutes(), duration.toSecondsPart());
    }
}
