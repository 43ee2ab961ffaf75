package dev.kvstore.simulation.plan;

import static dev.kvstore.simulation.plan.StepPatterns.at;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.ControlPlaneStep;
import dev.kvstore.simulation.storage.StorageMood;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Steps that belong together, of histories with control planes: leases that end and are forgotten, purges under way
 * while something fails, and calls for purged blocks. Planes, blocks, times and faults of each are random.
 */
public final class ControlPlanePatterns {
    /** The most patterns that begin in a second. */
    private static final double MOST_PER_SECOND = 0.06;

    private static final long SECOND = 1000;

    /** The number of prompts, which is so small that calls and purges meet on the same blocks. */
    private static final int PROMPTS = 3;

    /** Adds the steps of a pattern that begins at a time, in milliseconds. */
    @FunctionalInterface
    private interface ControlPattern {
        void add(Plan.Draw draw, long at, List<Plan.TimedStep> steps);
    }

    private static final List<ControlPattern> ALL = List.of(
            ControlPlanePatterns::purged,
            ControlPlanePatterns::purged,
            ControlPlanePatterns::away,
            ControlPlanePatterns::away,
            ControlPlanePatterns::ended,
            ControlPlanePatterns::loading,
            ControlPlanePatterns::interrupted,
            ControlPlanePatterns::outage,
            ControlPlanePatterns::relay);

    private ControlPlanePatterns() {}

    /**
     * Adds patterns to the steps of a plan of this length. Half of the seeds have one kind alone, the others about half
     * of all kinds.
     */
    static void add(SplittableRandom random, long millis, List<Plan.TimedStep> steps) {
        List<ControlPattern> some =
                ALL.stream().filter(_ -> random.nextBoolean()).toList();
        List<ControlPattern> kinds =
                some.isEmpty() || random.nextBoolean() ? List.of(ALL.get(random.nextInt(ALL.size()))) : some;
        Plan.Draw draw = new Plan.Draw(random, 0, PROMPTS);
        double perSecond = Math.pow(random.nextDouble(0.4, 1), 2) * MOST_PER_SECOND;
        for (double at = 6 * SECOND + random.nextLong(10 * SECOND);
                at < millis;
                at += SECOND * -Math.log(1 - random.nextDouble()) / perSecond) {
            kinds.get(random.nextInt(kinds.size())).add(draw, (long) at, steps);
        }
    }

    private static int controlPlane(Plan.Draw draw) {
        return draw.random().nextInt(ControlPlanePlan.NAMES.size());
    }

    /** Writes blocks, and makes most data planes keep them in memory. */
    private static void keep(Plan.Draw draw, int prompt, long at, List<Plan.TimedStep> steps) {
        at(steps, at, new HistoryStep.WritePrompt(draw.plane(), prompt, Plan.BLOCKS, draw.content()));
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            if (draw.random().nextInt(4) > 0) {
                at(steps, at + SECOND / 2 + draw.random().nextLong(SECOND), new HistoryStep.ReadPrompt(plane, prompt));
            }
        }
    }

    private static HistoryStep purge(Plan.Draw draw, int prompt) {
        return switch (draw.random().nextInt(4)) {
            case 0 -> new HistoryStep.OfControlPlanes(new ControlPlaneStep.PurgePartition());
            case 1 -> new HistoryStep.OfControlPlanes(new ControlPlaneStep.PurgeKey());
            default -> new HistoryStep.OfControlPlanes(new ControlPlaneStep.PurgeBlock(prompt, draw.block()));
        };
    }

    private static HistoryStep call(Plan.Draw draw, int plane, int prompt) {
        return switch (draw.random().nextInt(5)) {
            case 0 -> new HistoryStep.LookUp(plane, prompt);
            case 1 -> new HistoryStep.ReadBlock(plane, prompt, draw.block());
            default -> new HistoryStep.ReadPrompt(plane, prompt);
        };
    }

    /** Clients ask all data planes as soon as the next purge is done, and for a while after that. */
    private static void askOnceDone(Plan.Draw draw, int prompt, long at, List<Plan.TimedStep> steps) {
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            at(steps, at, new HistoryStep.PurgeAmbush("DONE", new HistoryStep.ReadPrompt(plane, prompt)));
            long every = 400 + draw.millis(3 * SECOND);
            for (long next = at + draw.millis(3 * SECOND);
                    next < at + 16 * SECOND;
                    next += 1 + draw.random().nextLong(2 * every)) {
                at(steps, next, call(draw, plane, prompt));
            }
        }
    }

    /** A fault of some data plane or control plane in the middle of a purge. */
    private static HistoryStep fault(Plan.Draw draw) {
        SplittableRandom random = draw.random();
        long millis = draw.millis(60 * SECOND);
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> new HistoryStep.Kill(draw.plane(), millis);
            case 3 -> new HistoryStep.Freeze(draw.plane(), millis);
            case 4 ->
                new HistoryStep.OfControlPlanes(new ControlPlaneStep.CutFromControlPlane(
                        Plan.NAMES.get(draw.plane()), controlPlane(draw), millis));
            case 5, 6 -> new HistoryStep.OfControlPlanes(new ControlPlaneStep.Kill(controlPlane(draw), millis));
            case 7 -> new HistoryStep.OfControlPlanes(new ControlPlaneStep.Freeze(controlPlane(draw), millis));
            default ->
                new HistoryStep.OfControlPlanes(new ControlPlaneStep.CutFromDatabase(controlPlane(draw), millis));
        };
    }

    /** An admin purges blocks that data planes have in memory, while something fails or clients write the blocks. */
    private static void purged(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int prompt = draw.prompt();
        long purged = at + 3 * SECOND + random.nextLong(2 * SECOND);
        keep(draw, prompt, at, steps);
        if (random.nextBoolean()) {
            for (int plane = 0; plane < Plan.PLANES; plane++) {
                double often = random.nextBoolean() ? 1 : random.nextDouble();
                String operation = random.nextBoolean() ? "deleteIfMatch" : "";
                StorageMood mood = switch (random.nextInt(4)) {
                    case 0 -> new StorageMood(often, 0, 1, "deleteIfMatch");
                    case 1 -> new StorageMood(often / 2, often / 2, 1, operation);
                    default -> new StorageMood(0, 0, 1 + random.nextInt(300), operation);
                };
                at(steps, purged - 1, new HistoryStep.Mood(plane, mood, 10 * SECOND + draw.millis(15 * SECOND)));
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            String moment = ControlPlanePlan.MOMENTS.get(random.nextInt(ControlPlanePlan.MOMENTS.size() - 1));
            HistoryStep next = random.nextInt(3) == 0
                    ? new HistoryStep.WritePrompt(draw.plane(), prompt, 1 + draw.block(), draw.content())
                    : fault(draw);
            at(steps, purged - 1, new HistoryStep.PurgeAmbush(moment, next));
        }
        at(steps, purged, purge(draw, prompt));
        askOnceDone(draw, prompt, purged, steps);
    }

    /**
     * A data plane is not heard until its lease is over, or is forgotten as well, and comes back with blocks in memory.
     * An admin purges blocks meanwhile.
     */
    private static void away(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long begin = at + 2 * SECOND;
        boolean isForgotten = random.nextBoolean();
        long lasts = (isForgotten ? 45 * SECOND : 5 * SECOND) + random.nextLong(30 * SECOND);
        keep(draw, prompt, at, steps);
        at(steps, begin - 1, new HistoryStep.ReadPrompt(plane, prompt));
        if (random.nextInt(4) == 0) {
            at(steps, begin, new HistoryStep.Freeze(plane, lasts));
        } else {
            for (int controlPlane = 0; controlPlane < ControlPlanePlan.NAMES.size(); controlPlane++) {
                at(
                        steps,
                        begin + random.nextLong(SECOND),
                        new HistoryStep.OfControlPlanes(
                                new ControlPlaneStep.CutFromControlPlane(Plan.NAMES.get(plane), controlPlane, lasts)));
            }
        }
        // Such a purge is done before the data plane comes back.
        long purged = isForgotten && random.nextInt(4) > 0
                ? begin + lasts - 7 * SECOND - random.nextLong(6 * SECOND)
                : begin + random.nextLong(lasts);
        if (random.nextInt(4) > 0) {
            at(steps, purged, purge(draw, prompt));
        }
        for (long next = purged + SECOND; next < begin + lasts; next += 1 + draw.millis(20 * SECOND)) {
            at(steps, next, call(draw, plane, prompt));
        }
        for (long next = begin + lasts; next < begin + lasts + 9 * SECOND; next += 1 + draw.millis(SECOND)) {
            at(steps, next, call(draw, random.nextInt(4) == 0 ? draw.plane() : plane, prompt));
        }
    }

    /** A data plane ends, and its place stays empty until its lease is over. A control plane's clock is wrong. */
    private static void ended(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        if (random.nextBoolean()) {
            long step = random.nextLong(120 * SECOND) - 60 * SECOND;
            at(steps, at, new ControlPlaneStep.StepClock(controlPlane(draw), step));
        }
        long end = at + random.nextLong(10 * SECOND);
        long down = 15 * SECOND + random.nextLong(60 * SECOND);
        at(steps, end, new HistoryStep.Kill(draw.plane(), down));
        if (random.nextInt(4) == 0) {
            at(steps, end + random.nextLong(down), purge(draw, draw.prompt()));
        }
    }

    /**
     * An admin purges blocks while storage is slow to give them to a data plane. Clients ask it for them afterwards.
     */
    private static void loading(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int writer = draw.plane();
        int reader = (writer + 1 + random.nextInt(Plan.PLANES - 1)) % Plan.PLANES;
        long purged = at + 3 * SECOND + random.nextLong(SECOND);
        StorageMood slow = new StorageMood(0, 0, 50 + random.nextInt(450), "");
        at(steps, purged - 100, new HistoryStep.Mood(reader, slow, 8 * SECOND + draw.millis(8 * SECOND)));
        at(
                steps,
                purged,
                random.nextBoolean() ? new ControlPlaneStep.PurgePartition() : new ControlPlaneStep.PurgeKey());
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            at(steps, at, new HistoryStep.WritePrompt(writer, prompt, Plan.BLOCKS, draw.content()));
            at(steps, at + SECOND, new HistoryStep.LookUp(reader, prompt));
            for (int block = 0; block < Plan.BLOCKS; block++) {
                HistoryStep.ReadBlock read = new HistoryStep.ReadBlock(reader, prompt, block);
                at(steps, purged + random.nextLong(7 * SECOND), read);
                at(steps, purged + 7 * SECOND + random.nextLong(8 * SECOND), read);
                at(steps, purged + 7 * SECOND + random.nextLong(8 * SECOND), read);
            }
        }
    }

    /** Data planes end or stand still as soon as one of them has begun to delete the blocks of a purge. */
    private static void interrupted(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int prompt = draw.prompt();
        keep(draw, prompt, at, steps);
        long purged = at + 3 * SECOND;
        int slowed = random.nextBoolean() ? 1 : 1 + random.nextInt(200);
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            if (random.nextInt(4) > 0) {
                long lasts = 1 + draw.millis(60 * SECOND);
                HistoryStep fault = random.nextInt(4) == 0
                        ? new HistoryStep.Freeze(plane, lasts)
                        : new HistoryStep.Kill(plane, lasts);
                at(steps, purged - 1, new HistoryStep.PurgeAmbush("CLAIMED", fault));
            }
            if (slowed > 1) {
                StorageMood mood = new StorageMood(0, 0, slowed, "");
                at(steps, purged - 1, new HistoryStep.Mood(plane, mood, 20 * SECOND));
            }
        }
        at(steps, purged, purge(draw, prompt));
        askOnceDone(draw, prompt, purged, steps);
    }

    /** No control plane can do its work for a time: none runs, none reaches the database, or its clock steps. */
    private static void outage(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        long lasts = 2 * SECOND + draw.millis(40 * SECOND);
        int kind = random.nextInt(5);
        if (random.nextBoolean()) {
            at(steps, at - random.nextLong(3 * SECOND), purge(draw, draw.prompt()));
        }
        if (random.nextBoolean()) {
            long end = at + random.nextLong(2 * lasts);
            at(steps, end, new HistoryStep.Kill(draw.plane(), 20 * SECOND + random.nextLong(40 * SECOND)));
        }
        if (kind == 0) {
            at(steps, at, new ControlPlaneStep.ChangeWeather(ControlPlanePlan.weather(random), lasts));
        } else if (kind == 1) {
            at(steps, at, new ControlPlaneStep.StepDatabaseClock(random.nextLong(120 * SECOND) - 60 * SECOND));
        } else {
            for (int plane = 0; plane < ControlPlanePlan.NAMES.size(); plane++) {
                long millis = lasts + draw.millis(5 * SECOND);
                ControlPlaneStep fault = switch (kind) {
                    case 2 -> new ControlPlaneStep.Kill(plane, millis);
                    case 3 -> new ControlPlaneStep.Freeze(plane, millis);
                    default -> new ControlPlaneStep.CutFromDatabase(plane, millis);
                };
                at(steps, at + draw.millis(2 * SECOND), fault);
            }
        }
    }

    /**
     * Control planes end in turn, while purges are under way: each goes on with the purges that the other one began.
     */
    private static void relay(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int prompt = draw.prompt();
        keep(draw, prompt, at, steps);
        long purged = at + 3 * SECOND;
        at(steps, purged, purge(draw, prompt));
        long next = purged;
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            long down = 1 + draw.millis(4 * SECOND);
            at(steps, next, new ControlPlaneStep.Kill(i % ControlPlanePlan.NAMES.size(), down));
            next += down + draw.millis(SECOND);
        }
        askOnceDone(draw, prompt, purged, steps);
    }
}
