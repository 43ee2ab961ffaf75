package dev.kvstore.simulation.plan;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.ControlPlaneStep;
import dev.kvstore.simulation.storage.StorageMood;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Steps that belong together, as an expert for hard cases would try them: single random steps hardly ever combine in
 * this way. Planes, blocks, times and faults of each are random.
 */
public final class StepPatterns {
    /** The most patterns that begin in a second. */
    private static final double MOST_PER_SECOND = 0.16;

    /** In a quiet history most patterns are over when the next one begins. */
    private static final long QUIET_PAUSE_LEAST = 40_000;

    private static final long QUIET_PAUSE_MOST = 100_000;

    private static final long SECOND = 1000;

    /** Adds the steps of a pattern that begins at a time, in milliseconds. */
    @FunctionalInterface
    interface StepPattern {
        void add(Plan.Draw draw, long at, List<Plan.TimedStep> steps);
    }

    private static final List<StepPattern> BUSY = List.of(
            StepPatterns::rush,
            StepPatterns::lastWords,
            StepPatterns::outage,
            StepPatterns::stall,
            StepPatterns::writtenAnew,
            StepPatterns::unheard,
            StepPatterns::listed,
            StepPatterns::broughtBack,
            StepPatterns::manyLogs);

    private static final List<StepPattern> ALL =
            Stream.concat(BUSY.stream(), PresencePatterns.ALL.stream()).toList();

    private StepPatterns() {}

    /**
     * Adds patterns to the steps of a plan of this length. Each seed leaves some kinds out.
     *
     * @param hasSdk whether there are clients of the SDK
     * @param isQuiet whether the plan has hardly any other steps: then all patterns are about logs and snapshots, or
     *     about memory and disks
     */
    static void add(Plan.Draw draw, boolean hasSdk, boolean isQuiet, long millis, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        List<StepPattern> ofTiers = Stream.of(TierPatterns.ALL, hasSdk ? SdkPatterns.ALL : TierPatterns.WITHOUT_SDK)
                .flatMap(List::stream)
                .toList();
        List<StepPattern> some = isQuiet
                ? random.nextBoolean() ? PresencePatterns.ALL : ofTiers
                : Stream.concat(ALL.stream(), ofTiers.stream()).toList();
        List<StepPattern> kinds =
                some.stream().filter(_ -> random.nextBoolean()).toList();
        if (kinds.isEmpty()) {
            return;
        }
        double perSecond = random.nextDouble(0.1, 1) * MOST_PER_SECOND;
        double at = isQuiet ? random.nextLong(QUIET_PAUSE_LEAST / 2) : pause(random, perSecond);
        while (at < millis) {
            kinds.get(random.nextInt(kinds.size())).add(draw, (long) at, steps);
            at += isQuiet ? random.nextLong(QUIET_PAUSE_LEAST, QUIET_PAUSE_MOST) : pause(random, perSecond);
        }
    }

    private static double pause(SplittableRandom random, double perSecond) {
        return SECOND * -Math.log(1 - random.nextDouble()) / perSecond;
    }

    static void at(List<Plan.TimedStep> steps, long millis, HistoryStep step) {
        steps.add(new Plan.TimedStep(millis, step));
    }

    static void at(List<Plan.TimedStep> steps, long millis, ControlPlaneStep step) {
        at(steps, millis, new HistoryStep.OfControlPlanes(step));
    }

    static HistoryStep.WritePrompt write(Plan.Draw draw, int plane, int prompt) {
        return new HistoryStep.WritePrompt(plane, prompt, 1 + draw.block(), draw.content());
    }

    /** The other planes look a prompt up again and again. */
    private static void watch(Plan.Draw draw, int except, int prompt, long from, long to, List<Plan.TimedStep> steps) {
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            long every = 1 + draw.random().nextLong(15 * SECOND);
            for (long at = from;
                    plane != except && at < to;
                    at += every / 2 + draw.random().nextLong(every) + 500) {
                at(steps, at, new HistoryStep.LookUp(plane, prompt));
            }
        }
    }

    /** Many calls on one block within a moment. */
    private static void rush(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int prompt = draw.prompt();
        int block = draw.block();
        int[] planes = {draw.plane(), draw.plane()};
        long span = 20 + draw.millis(400);
        int loses = random.nextInt(3);
        for (int i = 0; i < loses; i++) {
            at(steps, at + random.nextLong(span), new HistoryStep.Lose(prompt, block));
        }
        int calls = 6 + random.nextInt(20);
        for (int i = 0; i < calls; i++) {
            int plane = planes[random.nextInt(4) / 3];
            HistoryStep call = switch (random.nextInt(6)) {
                case 0 -> new HistoryStep.WritePrompt(plane, prompt, block + 1, draw.content());
                case 1 -> new HistoryStep.StreamPrompt(plane, prompt, block + 1, draw.content());
                case 2 -> new HistoryStep.LookUp(plane, prompt);
                case 3 ->
                    new HistoryStep.Hasty(
                            new HistoryStep.ReadBlock(plane, prompt, block),
                            1 + random.nextLong(40),
                            random.nextBoolean());
                default -> new HistoryStep.ReadBlock(plane, prompt, block);
            };
            at(steps, at + random.nextLong(span), call);
        }
    }

    /** A data plane ends while it acknowledges a block, or right after that. */
    private static void lastWords(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long end = at + random.nextLong(7 * SECOND);
        at(steps, at, write(draw, plane, draw.prompt()));
        int writes = 1 + random.nextInt(3);
        for (int i = 0; i < writes; i++) {
            at(steps, end - draw.millis(400), write(draw, plane, prompt));
        }
        long down = 1 + random.nextLong(60 * SECOND);
        at(steps, end, random.nextInt(3) == 0 ? new HistoryStep.Stop(plane, down) : new HistoryStep.Kill(plane, down));
        watch(draw, plane, prompt, at + random.nextLong(20 * SECOND), end + 60 * SECOND, steps);
    }

    /**
     * Storage fails a data plane for longer than others wait for its log, while clients go on to write to the data
     * plane.
     */
    private static void outage(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long lasts = 15 * SECOND + random.nextLong(60 * SECOND);
        String operation = List.of("", "putIfMatch", "putIfMatch", "get", "deleteIfMatch", "list")
                .get(random.nextInt(6));
        double refused = random.nextBoolean() ? 1 : random.nextDouble();
        StorageMood mood = random.nextBoolean()
                ? new StorageMood(refused, 0, 1, operation)
                : new StorageMood(0, refused, 1 + random.nextInt(20), operation);
        at(steps, at, write(draw, plane, prompt));
        at(steps, at + random.nextLong(SECOND), new HistoryStep.Mood(plane, mood, lasts));
        long every = SECOND + random.nextLong(6 * SECOND);
        for (long next = at; next < at + lasts + 6 * SECOND; next += 1 + random.nextLong(every)) {
            HistoryStep.WritePrompt write = write(draw, plane, random.nextBoolean() ? prompt : draw.prompt());
            at(steps, next, write);
            at(steps, next + 30 + draw.millis(2 * SECOND), write);
        }
        if (random.nextBoolean()) {
            long end = at + lasts + random.nextLong(8 * SECOND) - 6 * SECOND;
            at(steps, end, new HistoryStep.Kill(plane, draw.millis(60 * SECOND)));
        }
        watch(draw, plane, prompt, at, at + lasts + 40 * SECOND, steps);
    }

    /** A data plane is frozen for so long that others take it for dead, and has calls to answer when it is thawed. */
    private static void stall(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long frozen = at + random.nextLong(3 * SECOND);
        long lasts = 10 * SECOND + random.nextLong(35 * SECOND);
        at(steps, at, write(draw, plane, prompt));
        at(steps, frozen - draw.millis(300), write(draw, plane, draw.prompt()));
        at(steps, frozen, new HistoryStep.Freeze(plane, lasts));
        if (random.nextInt(4) == 0) {
            at(steps, frozen + 1, new HistoryStep.StepClock(plane, random.nextLong(120 * SECOND) - 60 * SECOND));
        }
        int writes = 1 + random.nextInt(6);
        for (int i = 0; i < writes; i++) {
            at(steps, frozen + lasts + 3 * SECOND - draw.millis(18 * SECOND), write(draw, plane, draw.prompt()));
        }
        if (random.nextBoolean()) {
            long down = draw.millis(60 * SECOND);
            at(steps, frozen + lasts + draw.millis(6 * SECOND), new HistoryStep.Kill(plane, down));
        }
        watch(draw, plane, prompt, at, frozen + lasts + 40 * SECOND, steps);
    }

    /** A block that others have in memory is deleted, and written again with other bytes. */
    private static void writtenAnew(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int prompt = draw.prompt();
        int block = draw.block();
        int writer = draw.plane();
        int reader = draw.plane();
        long lost = at + SECOND + random.nextLong(3 * SECOND);
        at(steps, at, new HistoryStep.WritePrompt(draw.plane(), prompt, block + 1, draw.content()));
        at(steps, lost - 1 - draw.millis(900), new HistoryStep.ReadBlock(reader, prompt, block));
        at(steps, lost - draw.millis(30), new HistoryStep.ReadBlock(writer, prompt, block));
        at(steps, lost, new HistoryStep.Lose(prompt, block));
        long anew = lost + draw.millis(2 * SECOND);
        at(steps, anew, new HistoryStep.WritePrompt(writer, prompt, block + 1, draw.content()));
        for (long next = anew; next < anew + 40 * SECOND; next += 1 + draw.millis(12 * SECOND)) {
            at(steps, next, new HistoryStep.ReadBlock(random.nextInt(3) == 0 ? draw.plane() : reader, prompt, block));
        }
    }

    /** A data plane is not told of a block, and is not asked about it until it must know it from logs. */
    private static void unheard(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int writer = draw.plane();
        int other = (writer + 1 + random.nextInt(Plan.PLANES - 1)) % Plan.PLANES;
        int prompt = draw.prompt();
        long written = at + random.nextLong(12 * SECOND);
        at(
                steps,
                at,
                new HistoryStep.CutCable(Plan.NAMES.get(writer), other, 20 * SECOND + random.nextLong(50 * SECOND)));
        at(steps, written - draw.millis(9 * SECOND), new HistoryStep.LookUp(other, prompt));
        at(steps, written, write(draw, writer, prompt));
        for (int i = random.nextInt(3); i >= 0; i--) {
            at(steps, written + 20 * SECOND + random.nextLong(40 * SECOND), new HistoryStep.LookUp(other, prompt));
        }
    }

    /** A data plane lists the partition, and blocks are written while data planes put the listing to use. */
    private static void listed(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        int writes = 1 + random.nextInt(3);
        for (int i = 0; i < writes; i++) {
            HistoryStep.WritePrompt write = write(draw, random.nextInt(3) == 0 ? draw.plane() : plane, prompt);
            String file =
                    List.of("presence/snapshot", "presence/parts/", "presence/").get(random.nextInt(3));
            at(steps, at + 2, new HistoryStep.Ambush(file, write));
        }
        at(steps, at, new HistoryStep.Lose(prompt, random.nextInt(Plan.BLOCKS)));
        at(steps, at, new HistoryStep.LosePresence());
        if (random.nextBoolean()) {
            StorageMood mood = new StorageMood(random.nextDouble(), 0, 1, random.nextBoolean() ? "deleteIfMatch" : "");
            at(steps, at + 2, new HistoryStep.Mood(plane, mood, draw.millis(40 * SECOND)));
        }
        for (long next = at; next < at + 30 * SECOND; next += 200 + draw.millis(4 * SECOND)) {
            at(steps, next, new HistoryStep.LookUp(random.nextInt(3) == 0 ? draw.plane() : plane, prompt));
        }
    }

    /** A block that no log has any more is brought back, and is read. */
    private static void broughtBack(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        int plane = draw.plane();
        int prompt = draw.prompt();
        int block = draw.block();
        at(steps, at, new HistoryStep.Lose(prompt, block));
        long back = at + draw.millis(60 * SECOND);
        at(steps, back, new HistoryStep.BringBack(prompt, block));
        at(steps, at + 1 + draw.random().nextLong(back - at), new HistoryStep.LosePresence());
        for (long next = back; next < back + 100 * SECOND; next += 1 + draw.millis(40 * SECOND)) {
            at(steps, next, new HistoryStep.LookUp(plane, prompt));
            at(steps, next + 1 + draw.millis(SECOND), new HistoryStep.ReadBlock(plane, prompt, block));
        }
    }

    /** Each data plane begins and closes one log after the other, until there are so many that they are merged. */
    private static void manyLogs(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        long every = 11 * SECOND + random.nextLong(6 * SECOND);
        int rounds = 4 + random.nextInt(6);
        for (int i = 0; i < rounds; i++) {
            for (int plane = 0; plane < Plan.PLANES; plane++) {
                int prompt = draw.prompt();
                long next = at + i * every + random.nextLong(2 * SECOND);
                at(steps, next, new HistoryStep.Lose(prompt, 0));
                at(steps, next + 50, write(draw, plane, prompt));
                at(steps, next + random.nextLong(every), new HistoryStep.LookUp(draw.plane(), prompt));
            }
        }
        long end = at + rounds * every + random.nextLong(10 * SECOND);
        at(steps, end, new HistoryStep.Kill(draw.plane(), draw.millis(10 * SECOND)));
    }

    /** The steps within a plan's length, in the order of their times. */
    static List<Plan.TimedStep> within(long millis, List<Plan.TimedStep> steps) {
        List<Plan.TimedStep> kept = new ArrayList<>(steps);
        kept.removeIf(step -> step.millis() < 0 || step.millis() >= millis);
        kept.sort(Comparator.comparingLong(Plan.TimedStep::millis));
        return kept;
    }
}
