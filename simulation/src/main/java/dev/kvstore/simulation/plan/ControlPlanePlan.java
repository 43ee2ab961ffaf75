package dev.kvstore.simulation.plan;

import dev.kvstore.simulation.control.DatabaseWeather;
import dev.kvstore.simulation.step.kind.ControlPlaneStep;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Adds faults of control planes and their database, and purges, to a plan. */
public final class ControlPlanePlan {
    public static final List<String> NAMES = List.of("control-1", "control-2");

    /** The moments that a purge reaches. */
    static final List<String> MOMENTS = List.of("TELLING", "DELETING", "CLAIMED", "FORGETTING", "DONE");

    private static final double MOST_PER_SECOND = 0.15;
    private static final long LONGEST_FAULT = 60_000;

    /**
     * A plan with control planes is so much longer: a lease that ends is forgotten 30 s later, and a purge takes its
     * time.
     */
    private static final long MILLIS_MORE = 45_000;

    /** Parts of the steps of data planes that are kept: among many faults leases hardly ever end and are forgotten. */
    private static final List<Double> KEPT = List.of(0.0, 0.0, 0.05, 0.4);

    private static final List<Function<Draw, ControlPlaneStep>> FAULTS = List.of(
            draw -> new ControlPlaneStep.Kill(draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new ControlPlaneStep.Freeze(draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new ControlPlaneStep.CutFromControlPlane(
                    draw.dataPlane(), draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new ControlPlaneStep.CutFromDatabase(draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new ControlPlaneStep.ChangeWeather(draw.weather(), draw.millis(LONGEST_FAULT)),
            draw -> new ControlPlaneStep.StepClock(draw.plane(), draw.millis(120_000) - 60_000),
            draw -> new ControlPlaneStep.StepDatabaseClock(draw.millis(120_000) - 60_000),
            draw -> new ControlPlaneStep.PurgeBlock(draw.prompt(), draw.block()),
            draw -> new ControlPlaneStep.PurgeBlock(draw.prompt(), draw.block()),
            draw -> new ControlPlaneStep.PurgePartition(),
            draw -> new ControlPlaneStep.PurgeKey());

    private ControlPlanePlan() {}

    /** The plan or a part of it, and meanwhile faults of control planes, and purges. */
    public static Plan with(Plan plan, SplittableRandom random) {
        long millis = plan.millis() + MILLIS_MORE;
        double kept = KEPT.get(random.nextInt(KEPT.size()));
        List<Plan.TimedStep> steps = new ArrayList<>();
        for (Plan.TimedStep step : plan.steps()) {
            if (random.nextDouble() < kept) {
                steps.add(step);
            }
        }
        addFaults(new Draw(random), millis, steps);
        ControlPlanePatterns.add(random, millis, steps);
        return new Plan(StepPatterns.within(millis, steps), millis);
    }

    private static void addFaults(Draw draw, long millis, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random;
        List<Function<Draw, ControlPlaneStep>> some =
                FAULTS.stream().filter(_ -> random.nextBoolean()).toList();
        double perSecond = some.isEmpty() || random.nextInt(3) > 0 ? 0 : random.nextDouble(MOST_PER_SECOND);
        double at = 0;
        while (perSecond > 0) {
            at += 1000 * -Math.log(1 - random.nextDouble()) / perSecond;
            if (at >= millis) {
                break;
            }
            StepPatterns.at(
                    steps, (long) at, some.get(random.nextInt(some.size())).apply(draw));
        }
    }

    /** Draws the parameters of steps. */
    private record Draw(SplittableRandom random) {
        int plane() {
            return random.nextInt(NAMES.size());
        }

        String dataPlane() {
            return Plan.NAMES.get(random.nextInt(Plan.NAMES.size()));
        }

        int prompt() {
            return random.nextInt(Plan.PROMPTS);
        }

        int block() {
            return random.nextInt(Plan.BLOCKS);
        }

        long millis(long most) {
            return (long) (most * Math.pow(random.nextDouble(), 2)) + 1;
        }

        DatabaseWeather weather() {
            return ControlPlanePlan.weather(random);
        }
    }

    static DatabaseWeather weather(SplittableRandom random) {
        double often = random.nextBoolean() ? 1 : random.nextDouble();
        return switch (random.nextInt(3)) {
            case 0 -> new DatabaseWeather(often, 0, 1);
            case 1 -> new DatabaseWeather(0, often, 1);
            default -> new DatabaseWeather(0.05, 0.05, 1 + random.nextInt(1_000));
        };
    }
}
