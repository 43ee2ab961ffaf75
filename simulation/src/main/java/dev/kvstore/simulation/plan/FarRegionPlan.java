package dev.kvstore.simulation.plan;

import static dev.kvstore.simulation.plan.StepPatterns.at;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.storage.StorageMood;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Adds calls and faults in another region to a plan. */
public final class FarRegionPlan {
    private static final double MOST_CALLS_PER_SECOND = 2;
    private static final double MOST_FAULTS_PER_SECOND = 0.1;
    private static final long LONGEST_FAULT = 60_000;
    private static final long LONGEST_STEP = 600_000;

    /** The far region knows a block after this many milliseconds if a process of the home region wrote it. */
    private static final long HEARD = 31_000;

    private static final long SHORT = 5_000;

    private static final List<Function<Draw, HistoryStep>> CALLS = List.of(
            draw -> new HistoryStep.LookUp(0, draw.prompt()),
            draw -> new HistoryStep.LookUp(0, draw.prompt()),
            draw -> new HistoryStep.ReadBlock(0, draw.prompt(), draw.block()),
            draw -> new HistoryStep.ReadPrompt(0, draw.prompt()),
            draw -> new HistoryStep.ReadPrompt(0, draw.prompt()),
            draw -> new HistoryStep.WritePrompt(0, draw.prompt(), 1 + draw.block(), draw.content()));

    private static final List<Function<Draw, HistoryStep>> FAULTS = List.of(
            draw -> new HistoryStep.KillFar(draw.millis()),
            draw -> new HistoryStep.FreezeFar(draw.millis()),
            draw -> new HistoryStep.MoodFar(draw.mood(), draw.millis()),
            draw -> new HistoryStep.MoodBetweenRegions(draw.mood(), draw.millis()),
            draw -> new HistoryStep.MoodBetweenRegions(draw.mood(), draw.millis()),
            draw -> new HistoryStep.StepClockFar(draw.step()),
            draw -> new HistoryStep.LoseFar(draw.prompt(), draw.block()));

    private FarRegionPlan() {}

    /** The plan, and meanwhile calls and faults in the far region. */
    public static Plan with(Plan plan, SplittableRandom random) {
        List<Plan.TimedStep> steps = new ArrayList<>(plan.steps());
        add(CALLS, HistoryStep.CallFar::new, random.nextDouble(0.1, MOST_CALLS_PER_SECOND), plan, steps, random);
        add(FAULTS, step -> step, random.nextDouble(MOST_FAULTS_PER_SECOND), plan, steps, random);
        if (random.nextBoolean()) {
            outage(new Draw(random, Plan.PROMPTS), random.nextLong(plan.millis()), steps);
        }
        return new Plan(StepPatterns.within(plan.millis(), steps), plan.millis());
    }

    /**
     * The home region's storage fails for so long that the far data plane leaves it alone, while clients ask for its
     * blocks.
     */
    private static void outage(Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random;
        int prompts = 2 + random.nextInt(4);
        int first = random.nextInt(Plan.PROMPTS - prompts);
        for (int prompt = first; prompt < first + prompts; prompt++) {
            int plane = random.nextInt(Plan.PLANES);
            at(steps, at, new HistoryStep.WritePrompt(plane, prompt, 1 + draw.block(), draw.content()));
        }
        // The far data plane knows the blocks of the home region by then.
        long out = at + HEARD + draw.millis();
        at(steps, out - random.nextLong(1, SHORT), new HistoryStep.CallFar(new HistoryStep.LookUp(0, first)));
        boolean isRefused = random.nextBoolean();
        StorageMood mood = new StorageMood(isRefused ? 1 : 0, isRefused ? 0 : 1, 1, "");
        long lasts = SHORT + draw.millis();
        at(steps, out, new HistoryStep.MoodBetweenRegions(mood, lasts));
        for (int i = random.nextInt(5, 15); i > 0; i--) {
            int prompt = first + random.nextInt(prompts);
            HistoryStep call = switch (random.nextInt(3)) {
                case 0 -> new HistoryStep.LookUp(0, prompt);
                case 1 -> new HistoryStep.ReadBlock(0, prompt, draw.block());
                default -> new HistoryStep.ReadPrompt(0, prompt);
            };
            at(steps, out + random.nextLong(lasts), new HistoryStep.CallFar(call));
        }
        if (random.nextBoolean()) {
            long when = out + lasts + SHORT - random.nextLong(2 * SHORT);
            at(steps, when, new HistoryStep.StepClockFar(draw.step()));
        }
    }

    private static void add(
            List<Function<Draw, HistoryStep>> kinds,
            Function<HistoryStep, HistoryStep> there,
            double perSecond,
            Plan plan,
            List<Plan.TimedStep> steps,
            SplittableRandom random) {
        List<Function<Draw, HistoryStep>> some =
                kinds.stream().filter(_ -> random.nextBoolean()).toList();
        Draw draw = new Draw(random, 1 + random.nextInt(Plan.PROMPTS));
        double at = 0;
        while (!some.isEmpty()) {
            at += 1000 * -Math.log(1 - random.nextDouble()) / perSecond;
            if (at >= plan.millis()) {
                return;
            }
            HistoryStep step = some.get(random.nextInt(some.size())).apply(draw);
            steps.add(new Plan.TimedStep((long) at, there.apply(step)));
        }
    }

    /**
     * Draws the parameters of steps.
     *
     * @param prompts the number of prompts that steps may be about
     */
    private record Draw(SplittableRandom random, int prompts) {
        int prompt() {
            return random.nextInt(prompts);
        }

        int block() {
            return random.nextInt(Plan.BLOCKS);
        }

        int content() {
            return random.nextInt(Plan.CONTENTS);
        }

        /** A time in milliseconds. Short times are more frequent than long ones. */
        long millis() {
            return (long) (LONGEST_FAULT * Math.pow(random.nextDouble(), 2)) + 1;
        }

        /** Milliseconds by which a clock steps. */
        long step() {
            return random.nextLong(-LONGEST_STEP, LONGEST_STEP);
        }

        StorageMood mood() {
            double often = random.nextBoolean() ? 1 : random.nextDouble();
            return switch (random.nextInt(3)) {
                case 0 -> new StorageMood(often, 0, 1, "");
                case 1 -> new StorageMood(0, often, 1, "");
                default -> new StorageMood(0.05, 0.05, 1 + random.nextInt(400), "");
            };
        }
    }
}
